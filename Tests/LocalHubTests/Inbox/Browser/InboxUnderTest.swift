import Foundation
import TestBrowser
import Testing

@testable import LocalHub

struct InboxUnderTest {
    /// A JavaScript expression for the number of rows in the list of messages.
    static let rows = "document.querySelectorAll('#messages-list > li').length"

    let browser: Browser
    let address: LocalHubAddress
    let server: LocalHubServer

    /// Runs a test against a separate hub; at the end, the page must have no errors and no requests
    /// to other hosts.
    static func run(
        _ change: (inout LocalHubConfiguration) -> Void = { _ in },
        _ test: (InboxUnderTest) async throws -> Void
    ) async throws {
        let browser = try #require(BrowserTrait.browser)
        var configuration = LocalHubConfiguration()
        configuration.now = { HubUnderTest.now }
        configuration.readFaults = readFault
        change(&configuration)
        try await withLocalHub(configuration) { address, server in
            let inbox = InboxUnderTest(browser: browser, address: address, server: server)
            try await test(inbox)
            try await inbox.expectGoodManners()
            try await browser.open("about:blank")
        }
    }

    /// Devices of alice, bob and carol, one for each of three push services.
    static func withThreeDevices(_ configuration: inout LocalHubConfiguration) {
        configuration.devices = [
            LocalHubDevice(user: "alice", platform: .apns),
            LocalHubDevice(user: "bob", platform: .fcm),
            LocalHubDevice(user: "carol", platform: .wns),
        ]
    }

    /// Leaves the page first, because an address that differs only in its fragment loads nothing.
    func reopen(_ place: String = "") async throws {
        try await browser.open("about:blank")
        try await open(place)
    }

    func open(_ place: String = "") async throws {
        try await browser.open("\(address.httpURL)/\(place)")
        try await browser.wait("document.querySelector('#connection').dataset.state === 'live'")
    }

    @discardableResult
    func send(
        _ body: String = #"{"aps":{"alert":"Hello"}}"#, to tags: String? = "username:alice",
        format: String = "apple", headers: [String: String] = [:], query: String = ""
    ) async throws -> Int? {
        var fields = headers
        fields["ServiceBusNotification-Format"] = format
        fields["ServiceBusNotification-Tags"] = tags
        fields["Authorization"] = RawConnection.token
        let lines = fields.map { "\($0): \($1)\r\n" }.joined()
        let answer = try await RawConnection.exchange(
            port: address.port,
            "POST /hubsend/messages?api-version=2020-06\(query) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + "\(lines)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        return Int(answer.dropFirst("HTTP/1.1 ".count).prefix(3))
    }

    func text(_ selector: String) async throws -> String {
        try await browser.value("document.querySelector(\(Browser.json(selector))).innerText")
    }

    func waitForRows(_ number: Int) async throws {
        try await browser.wait("\(Self.rows) === \(number)")
    }

    /// Expects that the page has had no errors since it was loaded, and made no requests to other
    /// hosts.
    func expectGoodManners() async throws {
        let mistakes: [String] = try await browser.value("window.mistakes")
        #expect(mistakes == [])
        let foreign: [String] = try await browser.value(
            """
            performance.getEntriesByType("resource").map(({ name }) => name)
                .filter((name) => !name.startsWith(`${location.origin}/`))
            """)
        #expect(foreign == [])
    }

    /// Reads only rules such as `status: 503`, because another target parses fault rules.
    private static func readFault(_ text: String) throws(UnreadableFaults) -> [FaultRule] {
        guard text.hasPrefix("status: "), let status = Int(text.dropFirst(8)) else {
            throw UnreadableFaults(
                explanation: "“\(text)” is no fault; write a status.\n   1 | \(text)\n     | ^")
        }
        return [FaultRule(.answer(status: status, retryAfter: nil))]
    }
}
