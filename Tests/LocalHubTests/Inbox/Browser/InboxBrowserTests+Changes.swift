import TestBrowser
import Testing

@testable import LocalHub

extension InboxBrowserTests {
    @Test("If its hub has been deleted, the page shows the first hub")
    func ifItsHubHasBeenDeletedThePageShowsTheFirstHub() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            let browser = inbox.browser
            try await inbox.send()
            // A bookmark from an earlier start has the same effect.
            try await inbox.open("#hub=gone")
            try await inbox.waitForRows(1)
            #expect(try await browser.value("location.hash") == "")
            try await manage("PUT", "second", in: inbox)
            try await browser.wait("!document.querySelector('#hub-choice').hidden")
            try await browser.click("#hub-select option[value=second]")
            try await inbox.waitForRows(0)
            try await browser.wait("document.querySelector('#connection').innerText === 'Live'")
            #expect(try await browser.value("location.hash") == "#hub=second")
            try await manage("DELETE", "second", in: inbox)
            try await inbox.waitForRows(1)
            #expect(try await browser.value("location.hash") == "")
            try await browser.wait("document.querySelector('#hub-choice').hidden")
            let notice = try await inbox.text("#failure-text")
            #expect(notice.hasSuffix("The page now shows the first hub."))
        }
    }

    @Test("Navigating back closes the Clear dialog")
    func navigatingBackClosesTheClearDialog() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            let browser = inbox.browser
            try await inbox.open()
            try await browser.perform("location.hash = '#user=alice'")
            try await browser.wait("!document.querySelector('#only').hidden")
            try await browser.click("#clear-open")
            try await browser.wait("document.querySelector('#clear').open")
            try await browser.back()
            try await browser.wait("!document.querySelector('#clear').open")
        }
    }

    @Test("Messages cleared elsewhere disappear, even far down the list")
    func messagesClearedElsewhereDisappearEvenFarDownTheList() async throws {
        try await InboxUnderTest.run({ configuration in
            configuration.devices = (0..<150).map {
                LocalHubDevice(user: "user\($0)", platform: .apns, handle: "\($0)")
            }
        }) { inbox in
            let browser = inbox.browser
            try await inbox.send(to: nil)
            try await inbox.open()
            try await browser.wait("\(InboxUnderTest.rows) > 0")
            try await browser.wait(
                """
                (document.querySelector('#messages').scrollTop = 1e6,
                    !document.querySelector("#messages-list a[href='#message=150']"))
                """)
            let cleared: Int = try await browser.result(
                of: """
                    const token = await (await fetch("/.hubsend/token")).text();
                    const answer = await fetch("/.hubsend/messages", {
                        method: "DELETE", headers: { "Hubsend-Token": token.trim() },
                    });
                    return (await answer.json()).cleared;
                    """)
            #expect(cleared == 150)
            try await inbox.waitForRows(0)
        }
    }

    @Test("An empty list keeps the focus while other pushes arrive")
    func emptyListKeepsTheFocusWhileOtherPushesArrive() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            let browser = inbox.browser
            try await inbox.open("#user=bob")
            try await browser.wait("document.querySelector('#messages-empty a')")
            try await browser.perform("document.querySelector('#messages-empty a').focus()")
            for number in 1...2 {
                try await inbox.send()
                try await browser.wait(
                    "document.querySelector('#messages-count').innerText === '\(number)'")
            }
            let hasFocus: Bool = try await browser.value(
                "document.activeElement === document.querySelector('#messages-empty a')")
            #expect(hasFocus)
        }
    }

    @Test("The hint names a device that can receive the sample")
    func hintNamesADeviceThatCanReceiveTheSample() async throws {
        try await InboxUnderTest.run({ configuration in
            configuration.devices = [
                LocalHubDevice(user: "carol", platform: .wns),
                LocalHubDevice(user: "bob", platform: .fcm),
            ]
        }) { inbox in
            try await inbox.open()
            try await inbox.browser.wait("document.querySelectorAll('.hints pre').length === 2")
            let hints = try await inbox.text(".hints")
            #expect(hints.contains("Format: fcmv1") && hints.contains("Tags: username:bob"))
        }
    }

    @Test("A hub with secret keys shows no signed command")
    func hubWithSecretKeysShowsNoSignedCommand() async throws {
        try await InboxUnderTest.run({ configuration in
            configuration.devices = [LocalHubDevice(platform: .apns, tags: ["news"])]
        }) { inbox in
            let browser = inbox.browser
            let answers = try await browser.run(
                beforePages: """
                    const parse = JSON.parse;
                    JSON.parse = (...all) => {
                        const value = parse(...all);
                        const isOverview = value?.counts !== undefined;
                        return isOverview ? { ...value, published_keys: false, kept: 41 } : value;
                    };
                    """)
            try await inbox.open()
            try await browser.wait("document.querySelector('.hints pre')")
            let hints = try await inbox.text(".hints")
            #expect(hints.contains("SharedAccessKeyName=KEY_NAME;SharedAccessKey=KEY'"))
            #expect(hints.contains("This hub has its own keys"))
            #expect(!hints.contains("SharedAccessSignature"))
            try await browser.wait("document.querySelector('#messages-count').innerText === '41'")
            try await browser.wait("document.querySelector('#devices-list a')")
            try await browser.click("#devices-list a")
            try await browser.wait("location.hash.startsWith('#registration=')")
            #expect(try await inbox.text("#only").contains("Only the device of registration"))
            // Clearing would remove more than what is shown.
            let mayClear: Bool = try await browser.value(
                "!document.querySelector('#clear-open').disabled")
            #expect(!mayClear)
            try await browser.click("#only-close")
            try await browser.wait("location.hash === ''")
            try await browser.stopRunning(answers)
        }
    }

    private func manage(_ method: String, _ hub: String, in inbox: InboxUnderTest) async throws {
        let body = """
            <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">\
            <NotificationHubDescription \
            xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"/>\
            </content></entry>
            """
        let token = TestToken.make(.developmentFull, audience: "http://127.0.0.1/\(hub)")
        let answer = try await RawConnection.exchange(
            port: inbox.address.port,
            "\(method) /\(hub)?api-version=2020-06 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + "Authorization: \(token)\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Connection: close\r\n\r\n\(body)")
        #expect(answer.hasPrefix("HTTP/1.1 20"), "\(answer)")
    }
}
