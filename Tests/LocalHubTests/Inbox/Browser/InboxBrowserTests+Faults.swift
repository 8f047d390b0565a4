import TestBrowser
import Testing

@testable import LocalHub

extension InboxBrowserTests {
    @Test("The fault switch takes effect immediately") func faultSwitchTakesEffectImmediately()
        async throws
    {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            let browser = inbox.browser
            try await inbox.open()
            try await browser.click("#faults-open")
            try await browser.click("#fault")
            try await browser.press("nonsense" + Browser.Key.enter)
            try await browser.wait(
                "document.querySelector('#faults-error').innerText.includes('“nonsense” is no fault')"
            )
            // The location of the error is shown line by line, as in the response.
            #expect(try await inbox.text("#faults-error").contains("\n   1 | nonsense\n"))
            let isPlain: Bool = try await browser.value(
                "getComputedStyle(document.querySelector('#faults-error')).whiteSpace === 'pre-wrap'"
            )
            #expect(isPlain)
            try await browser.perform("document.querySelector('#fault').value = ''")
            try await browser.press("status: 503" + Browser.Key.enter)
            try await browser.wait("document.querySelectorAll('#faults-list li').length === 1")
            #expect(try await inbox.text("#faults-list code") == "status: 503")
            #expect(try await inbox.text("#faults-error") == "")
            #expect(try await inbox.send() == 503)
            try await browser.click("#faults-close")
            try await browser.wait("document.querySelector('#faults-open').innerText === '1 fault'")
            try await browser.click("#faults-switch")
            try await browser.wait("\(Self.switchState) === 'false'")
            #expect(try await inbox.send() == 201)
            try await browser.click("#faults-switch")
            try await browser.wait("\(Self.switchState) === 'true'")
            #expect(try await inbox.send() == 503)
            try await browser.click("#faults-open")
            try await browser.wait("document.querySelector('#faults-list button')")
            try await browser.click("#faults-list button")
            try await browser.wait("document.querySelectorAll('#faults-list li').length === 0")
            #expect(try await inbox.send() == 201)
            let focused: String = try await browser.value("document.activeElement.id")
            #expect(focused == "fault")
            try await browser.click("#faults-presets button")
            let preset: String = try await browser.value("document.querySelector('#fault').value")
            #expect(preset.hasPrefix("status: 429, retry_after: "))
        }
    }

    @Test("The fault switch is disabled if there are no rules")
    func faultSwitchIsDisabledIfThereAreNoRules() async throws {
        try await InboxUnderTest.run { inbox in
            let browser = inbox.browser
            let state = """
                ["#faults-switch", "#faults-switch-inside"].map((id) => document.querySelector(id))
                    .map(({ disabled, ariaChecked, title }) => `${disabled} ${ariaChecked} ${title}`)
                """
            let off = "true false There are no faults; add one first."
            try await inbox.open()
            #expect(try await browser.value(state) == [off, off])
            try await browser.click("#faults-open")
            try await browser.wait("!document.querySelector('#faults-none').hidden")
            try await browser.click("#fault")
            try await browser.press("status: 500" + Browser.Key.enter)
            try await browser.wait("document.querySelector('#faults-list li')")
            // An outdated event of the stream may arrive after the response, followed by the
            // current event.
            let isAll = { (words: String) in "\(state).every((each) => each === '\(words)')" }
            try await browser.wait(isAll("false true "))
            try await browser.click("#faults-list button")
            try await browser.wait("!document.querySelector('#faults-list li')")
            try await browser.wait(isAll(off))
        }
    }

    @Test("A double click removes only one rule") func doubleClickRemovesOnlyOneRule() async throws
    {
        try await InboxUnderTest.run { inbox in
            let browser = inbox.browser
            try await inbox.open()
            try await browser.click("#faults-open")
            for status in [500, 502, 503] {
                try await browser.click("#fault")
                try await browser.press("status: \(status)" + Browser.Key.enter)
                try await browser.wait(
                    "document.querySelector('#faults-list').innerText.includes('\(status)')")
            }
            let first = "document.querySelector('#faults-list button')"
            // The second click comes before the response, and the third after it, as part of a
            // double click.
            try await browser.perform("\(first).click(); \(first).click();")
            try await browser.wait("document.querySelectorAll('#faults-list li').length === 2")
            try await browser.perform(
                "\(first).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))")
            let rules: [String] = try await browser.result(
                of: "return (await (await fetch('/.hubsend/faults')).json()).faults;")
            #expect(rules == ["status: 502", "status: 503"])
        }
    }

    private static let switchState =
        "document.querySelector('#faults-switch').getAttribute('aria-checked')"

    @Test("The page reconnects when the hub comes back")
    func pageReconnectsWhenTheHubComesBack() async throws {
        let browser = try #require(BrowserTrait.browser)
        var configuration = LocalHubConfiguration()
        configuration.now = { HubUnderTest.now }
        InboxUnderTest.withThreeDevices(&configuration)
        let port = try await withLocalHub(configuration) { address, server in
            let inbox = InboxUnderTest(browser: browser, address: address, server: server)
            try await inbox.open()
            for _ in 1...2 { try await inbox.send() }
            try await inbox.waitForRows(2)
            return address.port
        }
        try await browser.wait("!document.querySelector('#gone').hidden")
        try await browser.wait(
            "document.querySelector('#connection').innerText === 'Not connected'")
        // The restarted hub has no old state, and its token is different.
        try await InboxUnderTest.run({ configuration in
            InboxUnderTest.withThreeDevices(&configuration)
            configuration.port = port
        }) { inbox in
            try await browser.wait("document.querySelector('#gone').hidden")
            try await inbox.waitForRows(0)
            try await inbox.send()
            try await inbox.waitForRows(1)
            try await browser.click("#clear-open")
            try await browser.click("#clear-do")
            try await inbox.waitForRows(0)
        }
    }
}
