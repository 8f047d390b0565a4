import CampaignCore
import NIOCore
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct SocketAddressTests {
    @Test(
        "A socket address is parsed from its text",
        arguments: ["127.0.0.1", "203.0.113.9", "::1", "2001:db8::1:2", "::ffff:192.0.2.7"])
    func socketAddressIsParsedFromItsText(_ text: String) throws {
        let expected = try #require(IPAddress(text))
        #expect(IPAddress(try SocketAddress(ipAddress: text, port: 443)) == expected)
    }

    @Test("A Unix socket has no IP address") func unixSocketHasNoIPAddress() throws {
        #expect(IPAddress(try SocketAddress(unixDomainSocketPath: "/tmp/a")) == nil)
        #expect(IPAddress(nil as SocketAddress?) == nil)
    }
}
