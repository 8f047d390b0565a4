import Foundation
import TestSupport
import Testing

@testable import Files

@Suite(.bounded) struct AwaitedInputTests {
    private let pipe = Pipe()

    private var input: AwaitedInput {
        AwaitedInput(descriptor: pipe.fileHandleForReading.fileDescriptor)
    }

    private func write(_ text: String) throws {
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    @Test("Bytes are returned as they are written")
    func bytesAreReturnedAsTheyAreWritten() async throws {
        try write("abcde")
        #expect(try await input.next(3) == Array("abc".utf8))
        #expect(try await input.next(3) == Array("de".utf8))
        let next = Task { [input] in try await input.next(3) }
        try write("f")
        #expect(try await next.value == Array("f".utf8))
        try pipe.fileHandleForWriting.close()
        #expect(try await input.next(3).isEmpty)
    }

    /// Enough tasks to block every thread of Swift and of libdispatch's pool.
    @Test("Waiting for input does not block other tasks")
    func waitingForInputDoesNotBlockOtherTasks() async {
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<8 * ProcessInfo.processInfo.processorCount {
                tasks.addTask { [input] in
                    await #expect(throws: CancellationError.self) { try await input.next(1) }
                }
            }
            let beside = Task {}
            await beside.value
            tasks.cancelAll()
        }
    }

    @Test("A cancelled wait consumes no input") func cancelledWaitConsumesNoInput() async throws {
        let waiting = Task { [input] in try await input.next(100) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try write("for the next")
        #expect(try await input.next(100) == Array("for the next".utf8))
    }

    @Test("A file is read to its end") func fileIsReadToItsEnd() async throws {
        let folder = try TemporaryFolder()
        let file = try OpenFile(try folder.write("text", to: "file"), for: .reading)
        let input = file.withDescriptor { AwaitedInput(descriptor: $0) }
        #expect(try await input.next(100) == Array("text".utf8))
        #expect(try await input.next(100).isEmpty)
        withExtendedLifetime(file) {}
    }

    @Test("Reading from a closed stream causes an error")
    func readingFromAClosedStreamCausesAnError() async {
        await #expect(throws: SystemError(number: EBADF)) {
            try await AwaitedInput(descriptor: 1 << 20).next(1)
        }
    }
}
