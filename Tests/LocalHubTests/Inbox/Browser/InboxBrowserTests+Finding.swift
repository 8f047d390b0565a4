import TestBrowser
import Testing

@testable import LocalHub

extension InboxBrowserTests {
    @Test("Search, filters and the choice of a user narrow the lists")
    func searchFiltersAndTheChoiceOfAUserNarrowTheLists() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            let browser = inbox.browser
            for _ in 1...2 { try await inbox.send() }
            try await inbox.send(
                #"{"message":{"notification":{"body":"Hi"}}}"#, to: "username:bob", format: "fcmv1")
            try await inbox.send(headers: ["apns-push-type": "background"])
            try await inbox.open()
            try await inbox.waitForRows(4)
            try await browser.click("#search")
            try await browser.press("BO")
            try await inbox.waitForRows(1)
            try await browser.wait("document.querySelectorAll('#devices-list > li').length === 1")
            #expect(try await inbox.text("#messages-list").contains("bob"))
            #expect(try await browser.value("location.hash") == "#search=BO")
            try await browser.press(Browser.Key.escape)
            try await inbox.waitForRows(4)
            try await browser.click("#outcome option[value=refused]")
            try await inbox.waitForRows(1)
            try await browser.click("#outcome option[value='']")
            try await inbox.waitForRows(4)
            try await browser.click("#devices-list a[data-user=alice]")
            try await inbox.waitForRows(3)
            #expect(try await inbox.text("#only").contains("Only alice"))
            // New messages for other people do not appear, but hers do.
            try await inbox.send(
                #"{"message":{"notification":{"body":"Hi"}}}"#, to: "username:bob", format: "fcmv1")
            try await inbox.send()
            try await inbox.waitForRows(4)
            try await browser.reload()
            try await inbox.waitForRows(4)
            #expect(try await browser.value("document.title") == "alice · hubsend inbox")
            try await browser.click("#only-close")
            try await inbox.waitForRows(6)
        }
    }

    @Test("Clearing asks for confirmation and clears the messages shown")
    func clearingAsksForConfirmationAndClearsTheMessagesShown() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            let browser = inbox.browser
            for _ in 1...2 { try await inbox.send() }
            for _ in 1...3 {
                try await inbox.send(
                    #"{"message":{"notification":{"body":"Hi"}}}"#, to: "username:bob",
                    format: "fcmv1")
            }
            try await inbox.open("#user=alice&message=1")
            try await inbox.waitForRows(2)
            try await browser.click("#clear-open")
            #expect(try await inbox.text("#clear-text").contains("the devices of alice."))
            try await browser.press(Browser.Key.escape)
            try await browser.wait("!document.querySelector('#clear').open")
            #expect(await inbox.server.received(by: "alice").count == 2)
            try await browser.click("#clear-open")
            try await browser.click("#clear-do")
            try await inbox.waitForRows(0)
            #expect(await inbox.server.received(by: "alice").isEmpty)
            #expect(await inbox.server.received(by: "bob").count == 3)
            try await browser.click("#only-close")
            try await inbox.waitForRows(3)
            try await browser.click("#clear-open")
            try await browser.click("#clear-do")
            try await inbox.waitForRows(0)
            #expect(await inbox.server.received(by: "bob").isEmpty)
        }
    }

    @Test("The page stays small even with long lists") func pageStaysSmallEvenWithLongLists()
        async throws
    {
        try await InboxUnderTest.run({ configuration in
            configuration.devices = (0..<2_000).map {
                LocalHubDevice(user: "user\($0)", platform: .apns, handle: "\($0)")
            }
        }) { inbox in
            for _ in 1...2 { #expect(try await inbox.send(to: nil) == 201) }
            try await inbox.open()
            try await inbox.browser.wait("\(InboxUnderTest.rows) > 0")
            for list in ["messages", "devices"] {
                let walk: Walk = try await inbox.browser.result(of: Self.walk(list))
                #expect(walk.pages == 15)
                #expect(walk.mostElements < 2_000)
                #expect(walk.largestJump <= 1)
                #expect(walk.isBackAtTheTop)
            }
            // Live updates continue at the same cost.
            try await inbox.send(to: "username:user7")
            try await inbox.browser.wait(
                "document.querySelector('#messages-list').innerText.includes('user7\\n')")
        }
    }

    private struct Walk: Decodable {
        let pages: Int
        let mostElements: Int
        let largestJump: Double
        let isBackAtTheTop: Bool
    }

    /// Scrolls down a list by many pages, then up again.
    private static func walk(_ list: String) -> String {
        """
        const pane = document.getElementById("\(list)");
        const rows = document.getElementById("\(list)-list");
        const first = rows.firstElementChild.textContent;
        const all = () => document.querySelectorAll("*").length;
        const changed = () => new Promise((done) => {
            const observer = new MutationObserver(() => { observer.disconnect(); done(); });
            observer.observe(rows, { childList: true });
        });
        const walk = { pages: 0, mostElements: all(), largestJump: 0, isBackAtTheTop: false };
        const turn = async (row, top) => {
            const change = changed();
            pane.scrollTop = top();
            const before = row().getBoundingClientRect().top;
            const seen = row();
            await change;
            const jump = Math.abs(seen.getBoundingClientRect().top - before);
            walk.largestJump = Math.max(walk.largestJump, jump);
            walk.mostElements = Math.max(walk.mostElements, all());
        };
        for (; walk.pages < 15; walk.pages += 1) {
            await turn(() => rows.lastElementChild, () => pane.scrollHeight);
        }
        while (rows.firstElementChild.textContent !== first) {
            await turn(() => rows.firstElementChild, () => 0);
        }
        pane.scrollTop = 0;
        walk.isBackAtTheTop = rows.firstElementChild.textContent === first;
        return walk;
        """
    }
}
