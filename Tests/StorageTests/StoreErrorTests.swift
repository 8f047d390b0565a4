import Storage
import TestSupport
import Testing

@Suite(.bounded) struct StoreErrorTests {
    private static let server = StoreComponent.server("postgresql://db.example/hubsend")
    private static let file = "/home/ops/.config/hubsend/payload.key"

    @Test(
        "The error about a server's key names this host's key file",
        arguments: [
            StoreError.noPayloadKey(server, file: file), .wrongPayloadKey(server, file: file),
            .noForgottenKey(server, file: file),
        ])
    func errorAboutAServersKeyNamesThisHostsKeyFile(error: StoreError) {
        let text = "\(error)"
        #expect(text.contains("store postgresql://db.example/hubsend"))
        #expect(text.contains(Self.file))
        #expect(text.contains("this host"))
        #expect(text.contains("from a host that has") || text.contains("from another host"))
        #expect(!text.contains("move the store away"))
        #expect(error.disposition == .configuration)
    }

    @Test(
        "The error about a server does not mention files",
        arguments: [
            StoreError.notFound(server), .olderVersion(server), .notAStore(server),
            .corrupt(server),
            .readOnly(server), .busy(server, reason: "too many"), .refused(server, reason: "no"),
        ])
    func errorAboutAServerDoesNotMentionFiles(error: StoreError) {
        let text = "\(error)"
        #expect(text.contains("postgresql://db.example/hubsend"))
        for word in ["folder", "path ", "-wal", ".mark", "disk", "move "] {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test("A call to a busy server can be tried again") func callToABusyServerCanBeTriedAgain() {
        #expect(StoreError.busy(Self.server, reason: "too many").disposition == .tryAgain)
    }

    @Test(
        "The error about a payload key names the variables that can set it",
        arguments: [
            StoreError.noPayloadKey(server, file: file), .wrongPayloadKey(server, file: file),
        ])
    func errorAboutAPayloadKeyNamesTheVariablesThatCanSetIt(error: StoreError) {
        #expect("\(error)".contains("HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND)"))
    }

    @Test(
        "The error about a store on a server names its address and no path",
        arguments: [
            StoreError.corrupt(server), .readOnly(server), .notAStore(server),
            .olderVersion(server),
        ])
    func errorAboutAStoreOnAServerNamesItsAddressAndNoPath(error: StoreError) {
        let text = "\(error)"
        #expect(text.contains("store postgresql://db.example/hubsend"))
        for word in ["-wal", "--store", "folder", "path "] { #expect(!text.contains(word)) }
        #expect(error.disposition == .configuration)
    }

    @Test("A statement cancelled by the server can be run again")
    func statementCancelledByTheServerCanBeRunAgain() {
        let error = StoreError.interrupted(
            Self.server, reason: "canceling statement due to statement timeout")
        #expect("\(error)".contains("canceling statement due to statement timeout. Run the same"))
        #expect(error.disposition == .tryAgain)
    }
}
