import HTTPServing
import TestSupport
import Testing

@Suite(.bounded) struct LoopbackHostTests {
    @Test(
        "The loopback interface is recognised in every spelling",
        arguments: [
            "localhost", "LocalHost", "127.0.0.1", "127.255.0.9", "::1", "[::1]", "0:0:0:0:0:0:0:1",
            "::ffff:127.0.0.1", "::FFFF:127.8.0.1", "::ffff:7f00:1",
        ])
    func loopbackInterfaceIsRecognisedInEverySpelling(host: String) {
        #expect(LoopbackHost.contains(host))
    }

    @Test(
        "Any other host is treated as another machine",
        arguments: [
            "", "example.com", "127.0.0.1.example.com", "localhost.example.com", "128.0.0.1",
            "127.0.0",
            "127.0.0.256", "0.0.0.0", "::", "::2", "::ffff:128.0.0.1", "::127.0.0.1", "1::1", ":",
            "[::1", "::1%lo", "::1%1", "127.0.0.1:80", "127.0.0.010", "127.0.0.+1", "127.0.0.",
            "127.0.0.2\u{0}.example.com", "::1\u{0}",
        ])
    func anyOtherHostIsTreatedAsAnotherMachine(host: String) {
        #expect(!LoopbackHost.contains(host))
    }
}
