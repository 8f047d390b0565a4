import DeviceClient
import Foundation
import TestSupport
import Testing

/// Credentials are sent only to one origin, over an encrypted or local connection.
@Suite(.bounded) struct OriginTests {
    @Test(
        "HTTPS and loopback origins are accepted",
        arguments: [
            "https://push.example", "https://push.example/", "HTTPS://push.example:8443",
            "http://127.0.0.1:8080", "http://localhost:8080/", "http://[::1]:8080",
            "http://127.3.2.1",
            "http://127.0.0.10", "http://127.255.0.255",
        ])
    func httpsAndLoopbackOriginsAreAccepted(origin: String) throws {
        #expect(throws: Never.self) { try BackendClient.forTests(origin) }
    }

    @Test(
        "Other origins are refused with a clear error",
        arguments: [
            ("http://push.example", OriginFault.insecure), ("http://127.0.0.1.example", .insecure),
            ("http://127.0.0.256", .insecure), ("ftp://127.0.0.1", .insecure),
            ("http://127.0.0.010", .insecure), ("http://127.0.0.+1", .insecure),
            ("http://127.0.0.-0", .insecure), ("http://127.0.0.00", .insecure),
            ("http://127.0.0", .insecure), ("http://127.0.0.", .insecure),
            ("http://localhost.example", .insecure), ("http://2130706433", .insecure),
            ("https://alice:open@push.example", .hasCredentials),
            ("https://a@push.example", .hasCredentials),
            ("https://push.example/backend", .hasPath), ("https://push.example?a=b", .hasPath),
            ("https://push.example#a", .hasPath), ("push.example", .incomplete),
            ("https:///", .incomplete),
        ])
    func otherOriginsAreRefusedWithAClearError(origin: String, fault: OriginFault) {
        let error = #expect(throws: BackendClientError.self) {
            try BackendClient.forTests(origin)
        }
        #expect(error == .unusableOrigin(fault))
        #expect(error?.description.hasSuffix(".") == true)
        #expect(error?.description.contains("open") == false)
    }

    @Test("An IPv6 address is read correctly") func iPv6AddressIsReadCorrectly() async throws {
        // Nothing listens there, so the connection is refused; the address was not misread.
        let client = try BackendClient.forTests("http://[::1]:1")
        await #expect(throws: BackendClientError.unreachable) {
            try await client.markRead(.sample)
        }
    }
}
