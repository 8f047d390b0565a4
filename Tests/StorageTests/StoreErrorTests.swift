import Storage
import TestSupport
import Testing

@Suite(.bounded) struct StoreErrorTests {
    private static let server = StorePlace.server("postgresql://db.example/hubsend")
    private static let file = "/home/ops/.config/hubsend/payload.key"

    @Test(arguments: [
        StoreError.noPayloadKey(server, file: file), .wrongPayloadKey(server, file: file),
        .noForgottenKey(server, file: file),
    ])
    func whatIsSaidOfAKeyForAServerIsAboutThisHostsFile(error: StoreError) {
        let text = "\(error)"
        #expect(text.contains("store postgresql://db.example/hubsend"))
        #expect(text.contains(Self.file))
        #expect(text.contains("this host"))
        #expect(text.contains("host that has it") || text.contains("that the other hosts have"))
        #expect(!text.contains("move the store away"))
        #expect(error.disposition == .configuration)
    }

    @Test(arguments: [
        StoreError.notFound(server), .olderVersion(server), .notAStore(server), .corrupt(server),
        .readOnly(server), .busy(server, reason: "too many"), .refused(server, reason: "no"),
    ])
    func whatIsSaidOfAServerIsNotAboutAFile(error: StoreError) {
        let text = "\(error)"
        #expect(text.contains("postgresql://db.example/hubsend"))
        for word in ["folder", "path ", "-wal", ".mark", "disk", "move "] {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test func aServerThatIsTooBusyIsTriedAgain() {
        #expect(StoreError.busy(Self.server, reason: "too many").disposition == .tryAgain)
    }

    @Test(arguments: [
        StoreError.noPayloadKey(server, file: file), .wrongPayloadKey(server, file: file),
    ])
    func aKeyOfThePayloadsMayComeFromTheEnvironment(error: StoreError) {
        #expect("\(error)".contains("HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND)"))
    }

    @Test(arguments: [
        StoreError.corrupt(server), .readOnly(server), .notAStore(server), .olderVersion(server),
    ])
    func whatIsSaidOfAStoreOnAServerIsAboutNoFile(error: StoreError) {
        let text = "\(error)"
        #expect(text.contains("store postgresql://db.example/hubsend"))
        for word in ["-wal", "--store", "folder", "path "] { #expect(!text.contains(word)) }
        #expect(error.disposition == .configuration)
    }

    @Test func whatTheServerBrokeOffIsWorthARerun() {
        let error = StoreError.interrupted(
            Self.server, reason: "canceling statement due to statement timeout")
        #expect("\(error)".contains("canceling statement due to statement timeout. Run the same"))
        #expect(error.disposition == .tryAgain)
    }
}
