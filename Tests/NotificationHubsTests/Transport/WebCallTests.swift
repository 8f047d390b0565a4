import TestSupport
import Testing

@testable import NotificationHubs

/// Addresses of heartbeat services; the heartbeat's own tests cover the requests.
@Suite(.bounded) struct WebCallTests {
    @Test(
        "A URL to call is never printed",
        arguments: [
            "https://ping.example/c2VjcmV0", "HTTPS://ping.example:8443/c2VjcmV0?create=1",
            "http://localhost:8000/c2VjcmV0", "http://[::1]:8000/c2VjcmV0", "https://ping.example",
        ])
    func urlToCallIsNeverPrinted(address: String) throws {
        let call = try #require(WebCall(address, userAgent: "test"))
        var dumped = ""
        dump(call, to: &dumped)
        #expect(!"\(call) \(dumped)".contains("c2VjcmV0"))
        #expect(!"\(call) \(dumped)".contains("ping"))
    }

    @Test(
        "An unsafe URL is refused",
        arguments: [
            "", "ping.example", "sb://ping.example/", "http://ping.example/", "http://10.0.0.1/",
            "https:///path", "https://a:b@ping.example/", "https://ping.example/#a",
            "https://ping example/",
        ])
    func unsafeURLIsRefused(address: String) {
        #expect(WebCall(address, userAgent: "test") == nil)
    }
}
