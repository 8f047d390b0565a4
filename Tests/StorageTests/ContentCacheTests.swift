import Storage
import TestSupport
import Testing

@Suite(.bounded) struct ContentCacheTests {
    private struct Gone: Error {}

    private let cache = ContentCache(capacity: 40)

    private static func file(_ number: UInt8, of count: Int = 10) -> [UInt8] {
        Array(repeating: number, count: count)
    }

    @Test("A file is read only once") func fileIsReadOnlyOnce() throws {
        #expect(cache.file("a") { Self.file(1) } == Self.file(1))
        #expect(try cache.file("a") { throw Gone() } == Self.file(1))
    }

    @Test("The oldest files are dropped to make room")
    func oldestFilesAreDroppedToMakeRoom() throws {
        for number: UInt8 in 1...5 { _ = cache.file("\(number)") { Self.file(number) } }
        #expect(throws: Gone.self) { try cache.file("1") { throw Gone() } }
        for number: UInt8 in 2...5 {
            #expect(try cache.file("\(number)") { throw Gone() } == Self.file(number))
        }
    }

    @Test("A file that is unreadable or over a quarter of the cache is not kept")
    func fileThatIsUnreadableOrOverAQuarterOfTheCacheIsNotKept() throws {
        #expect(cache.largest == 10)
        #expect(cache.file("a") { Self.file(1, of: 11) }.count == 11)
        #expect(throws: Gone.self) { try cache.file("a") { throw Gone() } }
        #expect(cache.file("a") { Self.file(2) } == Self.file(2))
    }
}
