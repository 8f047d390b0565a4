import TestBrowser
import Testing

extension InboxBrowserTests {
    @Test("Messages can be read with the keyboard")
    func messagesCanBeReadWithTheKeyboard() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            let browser = inbox.browser
            for number in 1...3 {
                try await inbox.send(#"{"aps":{"alert":"Number \#(number)"}}"#)
            }
            try await inbox.open()
            try await inbox.waitForRows(3)
            try await browser.press(Browser.Key.tab)
            try await expectFocus("skip", in: inbox)
            try await browser.press(Browser.Key.enter)
            try await expectFocus("messages-title", in: inbox)
            try await browser.press("j")
            try await browser.wait("document.activeElement.innerText.includes('Number 3')")
            try await browser.press(Browser.Key.down + Browser.Key.down + Browser.Key.up)
            try await browser.wait("document.activeElement.innerText.includes('Number 2')")
            try await browser.press(Browser.Key.enter)
            try await browser.wait("document.activeElement.innerText === 'Message 2'")
            let entries: Int = try await browser.value("history.length")
            try await browser.press("k")
            try await browser.wait("document.activeElement.innerText === 'Message 3'")
            #expect(try await browser.value("history.length") == entries)
            try await browser.press(Browser.Key.escape)
            try await browser.wait("document.activeElement.innerText.includes('Number 3')")
            #expect(try await browser.value("location.hash") == "")
            try await browser.press("/")
            try await expectFocus("search", in: inbox)
            // In a text field, a key types a letter.
            try await browser.press("j?")
            try await browser.wait("location.hash === '#search=j%3F'")
            try await browser.press(
                Browser.Key.escape + String(repeating: Browser.Key.tab, count: 3))
            try await expectFocus("clear-open", in: inbox)
            try await browser.press(Browser.Key.enter)
            try await expectFocus("clear-cancel", in: inbox)
            try await browser.press(Browser.Key.tab + Browser.Key.enter)
            try await inbox.waitForRows(0)
            try await expectFocus("clear-open", in: inbox)
            try await browser.press("?")
            try await browser.wait("document.querySelector('#help').open")
            try await browser.press(Browser.Key.escape)
            try await browser.wait("!document.querySelector('#help').open")
        }
    }

    @Test("Faults can be switched and added with the keyboard")
    func faultsCanBeSwitchedAndAddedWithTheKeyboard() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            let browser = inbox.browser
            try await inbox.open()
            try await tab(to: "faults-open", in: inbox)
            try await browser.press(Browser.Key.enter)
            try await tab(to: "fault", in: inbox)
            try await browser.press("status: 500" + Browser.Key.enter)
            try await browser.wait("document.querySelector('#faults-list li')")
            #expect(try await inbox.send() == 500)
            try await browser.press(Browser.Key.escape)
            try await expectFocus("faults-open", in: inbox)
            try await inbox.reopen()
            try await browser.wait("!document.querySelector('#faults-switch').disabled")
            try await tab(to: "faults-switch", in: inbox)
            try await browser.press(Browser.Key.space)
            try await browser.wait(
                "document.querySelector('#faults-switch').ariaChecked === 'false'")
            #expect(try await inbox.send() == 201)
        }
    }

    private func expectFocus(_ id: String, in inbox: InboxUnderTest) async throws {
        try await inbox.browser.wait("document.activeElement.id === '\(id)'")
    }

    /// Presses the tab key until the focus is there.
    private func tab(to id: String, in inbox: InboxUnderTest) async throws {
        for _ in 1...20 {
            if try await inbox.browser.value("document.activeElement.id") == id { return }
            try await inbox.browser.press(Browser.Key.tab)
        }
        Issue.record("The tab key does not come to \(id).")
    }
}
