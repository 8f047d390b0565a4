import Foundation
import TestBrowser
import Testing

extension InboxBrowserTests {
    @Test("The page is readable at every size in light and dark mode")
    func pageIsReadableAtEverySizeInLightAndDarkMode() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            let browser = inbox.browser
            let long = String(repeating: "Donaudampfschifffahrt", count: 12)
            try await inbox.send(#"{"aps":{"alert":{"title":"\#(long)","body":"\#(long)"}}}"#)
            try await inbox.send(
                #"{"aps":{"content-available":1},"secureId":"mfrggzdf"}"#,
                headers: ["apns-push-type": "background", "apns-priority": "10"])
            try await inbox.send(to: "username:nobody")
            try await inbox.open()
            try await inbox.waitForRows(2)
            let send: String = try await browser.result(
                of: "return (await (await fetch('/.hubsend/sends')).json()).sends[1].notification;")
            do {
                try await check(at: send, in: inbox)
            } catch {
                try await browser.standOnADesk()
                throw error
            }
            try await browser.standOnADesk()
        }
    }

    /// Checks every view and dialog in both colour schemes and several widths.
    private func check(at send: String, in inbox: InboxUnderTest) async throws {
        let browser = inbox.browser
        for (scheme, width, height) in [
            ("light", 320, 640), ("dark", 320, 640), ("light", 900, 700),
            ("light", 1_440, 900), ("dark", 1_440, 900),
        ] {
            try await browser.prefer(scheme: scheme, motion: "reduce")
            try await browser.resize(width: width, height: height)
            for (place, sign) in [
                ("#view=sends", "#sends-list li"), ("#view=devices", "#devices-list li"),
                ("#message=2", ".outcome"), ("#view=sends&send=\(send)", "#detail ol.rows li"),
                ("#", "#messages-list li"),
            ] {
                try await browser.perform("location.hash = '\(place)'")
                try await browser.wait("document.querySelector('\(sign)')")
                let faults: [String] = try await browser.value(PageAudit.script)
                #expect(faults == [], "\(scheme), \(width) px, \(place)")
            }
            for dialog in ["faults", "help", "clear"] {
                try await browser.perform("document.querySelector('#\(dialog)-open').click()")
                let faults: [String] = try await browser.value(PageAudit.script)
                #expect(faults == [], "\(scheme), \(width) px, \(dialog)")
                try await browser.press(Browser.Key.escape)
            }
        }
        let transition: String = try await browser.value(
            "getComputedStyle(document.querySelector('#faults-switch'), '::before')"
                + ".transitionDuration")
        #expect(transition == "0s")
    }

    @Test("Every control has an accessible name")
    func everyControlHasAnAccessibleName() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            try await inbox.send()
            try await inbox.open("#message=1")
            try await inbox.waitForRows(1)
            try await inbox.browser.wait("document.querySelector('.outcome')")
            let page = try await inbox.browser.controls()
            #expect(page.count > 20)
            #expect(page.filter { $0.name.isEmpty }.map(\.role) == [])
            try await inbox.browser.click("#detail dd a[href*='send=']")
            try await inbox.browser.wait("document.querySelector('#detail ol.rows li')")
            let send = try await inbox.browser.controls()
            #expect(send.filter { $0.name.isEmpty }.map(\.role) == [])
            for dialog in ["faults", "help", "clear"] {
                try await inbox.browser.click("#\(dialog)-open")
                try await inbox.browser.wait("document.querySelector('#\(dialog)').open")
                let controls = try await inbox.browser.controls()
                #expect(controls.count > 2)
                #expect(controls.filter { $0.name.isEmpty }.map(\.role) == [], "\(dialog)")
                try await inbox.browser.press(Browser.Key.escape)
                try await inbox.browser.wait("!document.querySelector('#\(dialog)').open")
            }
        }
    }
}
