import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct AddressRangeTests {
    @Test(
        "An address is matched against a range",
        arguments: [
            ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
            ("192.0.2.128/25", "192.0.2.200", true), ("192.0.2.128/25", "192.0.2.100", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
            ("2001:db8::/33", "2001:db8:7fff::1", true),
            ("2001:db8::/33", "2001:db8:8000::1", false),
            ("127.0.0.1", "::ffff:127.0.0.1", true), ("::1", "::1", true),
        ])
    func addressIsMatchedAgainstARange(range: String, address: String, isIn: Bool) throws {
        let range = try #require(AddressRange(range))
        let address = try #require(IPAddress(address))
        #expect(range.contains(address) == isIn)
    }

    @Test(
        "An invalid range is refused",
        arguments: [
            "", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/+8", "10.0.0/8", "localhost",
            "::1/129", "[::1]", "10.0.0.0/8/8", "fe80::1%eth0",
        ])
    func invalidRangeIsRefused(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test("Addresses are shown in their shortest form")
    func addressesAreShownInTheirShortestForm() {
        #expect(IPAddress("2001:DB8:0:0::1")?.description == "2001:db8::1")
        #expect(IPAddress("::ffff:192.0.2.7")?.description == "192.0.2.7")
    }

    @Test("Loopback addresses are recognised") func loopbackAddressesAreRecognised() {
        for text in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(IPAddress(text)?.isLoopback == true, "\(text)")
        }
        for text in ["128.0.0.1", "::2", "::"] {
            #expect(IPAddress(text)?.isLoopback == false, "\(text)")
        }
    }
}
