import Foundation
import TestBrowser
import Testing

@testable import LocalHub

extension InboxBrowserTests {
    @Test("Messages appear live as a phone shows them")
    func messagesAppearLiveAsAPhoneShowsThem() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            try await inbox.open()
            try await inbox.browser.wait("!document.querySelector('#messages-empty').hidden")
            try await inbox.send(
                #"{"aps":{"alert":{"title":"Spring sale","body":"Two days only"}}}"#)
            try await inbox.waitForRows(1)
            try await inbox.send(
                #"{"aps":{"content-available":1},"secureId":"mfrggzdf"}"#,
                headers: ["apns-push-type": "background", "apns-priority": "5"])
            try await inbox.send(
                #"{"message":{"notification":{"title":"Order","body":"On its way"}}}"#,
                to: "username:bob", format: "fcmv1")
            try await inbox.send(
                "mzxw6ytb", to: "username:carol", format: "windows",
                headers: ["X-WNS-Type": "wns/raw", "Content-Type": "application/octet-stream"])
            try await inbox.waitForRows(4)
            let rows: [String] = try await inbox.browser.value(
                "[...document.querySelectorAll('#messages-list > li')].map((row) => row.innerText)")
            try #require(rows.count == 4)
            #expect(rows[0].contains("WNS") && rows[0].contains("carol"))
            #expect(rows[0].contains("mzxw6ytb"))
            #expect(rows[1].contains("FCM") && rows[1].contains("On its way"))
            #expect(rows[2].contains("The phone shows nothing"))
            #expect(rows[2].contains("secureId mfrggzdf"))
            #expect(rows[3].contains("Spring sale") && rows[3].contains("Two days only"))
            try await inbox.browser.wait(
                "document.querySelector('#announcement').innerText.includes('new message')")
            try await inbox.browser.wait(
                "document.querySelector('#messages-count').innerText === '4'")
            let focused: Bool = try await inbox.browser.value(
                "document.activeElement === document.body")
            #expect(focused)
        }
    }

    @Test("Browser pushes and placeholders are shown")
    func browserPushesAndPlaceholdersAreShown() async throws {
        try await InboxUnderTest.run({
            $0.devices = [
                LocalHubDevice(user: "alice", platform: .apns),
                LocalHubDevice(user: "bob", platform: .browser),
                LocalHubDevice(user: "carol", platform: .adm),
            ]
        }) { inbox in
            try await inbox.send(
                #"{"aps":{"alert":{"body":"News for you"},"mutable-content":1},"secureId":"mfrggzdf"}"#,
                headers: ["apns-push-type": "alert", "apns-priority": "10"])
            try await inbox.send(
                #"{"message":"Two days only","title":"Spring sale","link":"https://shop.example/sale","campaign":"spring"}"#,
                to: "username:bob", format: "browser")
            try await inbox.send(
                #"{"data":{"secureId":"mzxw6ytb","placeholder":"A word for you"},"expiresAfter":60}"#,
                to: "username:carol", format: "adm")
            try await inbox.open()
            try await inbox.waitForRows(3)
            let rows: [String] = try await inbox.browser.value(
                "[...document.querySelectorAll('#messages-list > li')].map((row) => row.innerText)")
            try #require(rows.count == 3)
            #expect(rows[0].contains("ADM") && rows[0].contains("A word for you"))
            #expect(rows[0].contains("until it has fetched the message"))
            #expect(rows[1].contains("Browser") && rows[1].contains("Spring sale"))
            #expect(rows[1].contains("https://shop.example/sale"))
            #expect(rows[1].contains("campaign spring"))
            #expect(rows[2].contains("Placeholder until the app has fetched the message"))
            #expect(rows[2].contains("News for you") && rows[2].contains("mfrggzdf"))
            try await inbox.browser.click("#platform option[value=browser]")
            try await inbox.waitForRows(1)
            #expect(try await inbox.browser.value("location.hash") == "#platform=browser")
            try await inbox.browser.click("#messages-list a")
            try await inbox.browser.wait("document.querySelector('.phone-browser .card-title')")
            // An address in a push is shown as text, so that no link leads out of the page.
            let links: Int = try await inbox.browser.value(
                "document.querySelectorAll('a[href*=\"shop.example\"]').length")
            #expect(links == 0)
            try await inbox.expectGoodManners()
        }
    }

    @Test("A refused message shows its reason and request")
    func refusedMessageShowsItsReasonAndRequest() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            try await inbox.send(
                #"{"aps":{"content-available":1,"alert":"Hi"},"n":12345678901234567890}"#,
                headers: [
                    "apns-push-type": "background", "apns-priority": "5",
                    "User-Agent": "my-program/1.0",
                ])
            try await inbox.open()
            try await inbox.waitForRows(1)
            #expect(try await inbox.text(".refusal").hasPrefix("Refused: Dropped."))
            try await inbox.browser.click("#messages-list a")
            try await inbox.browser.wait("document.querySelector('.outcome')")
            let outcome = try await inbox.text(".outcome")
            #expect(outcome.contains("Refused by APNs"))
            #expect(outcome.contains("must not have alert in aps"))
            let detail = try await inbox.text("#detail")
            for part in [
                "did not reach the phone", "POST", "/hubsend/messages?api-version=2020-06",
                "username:alice", "my-program/1.0", #""n": 12345678901234567890"#,
            ] {
                #expect(detail.contains(part), "\(part)")
            }
            #expect(!detail.contains("SharedAccessSignature"))
            try await inbox.expectGoodManners()
            try await inbox.browser.reload()
            try await inbox.browser.wait(
                "document.querySelector('#detail-title').innerText === 'Message 1'")
            try await inbox.browser.back()
            try await inbox.browser.wait("!document.body.classList.contains('is-open')")
        }
    }

    @Test("A send that reached nobody is shown") func sendThatReachedNobodyIsShown() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            try await inbox.open()
            try await inbox.send(to: "username:Alice")
            try await inbox.browser.wait(
                "document.querySelector('#nobody-text').innerText === '1 send reached nobody.'")
            try await inbox.browser.click("#nobody-open")
            try await inbox.browser.wait("document.querySelector('.send-nobody')")
            let send = try await inbox.text(".send-nobody")
            #expect(send.contains("username:Alice"))
            #expect(send.contains("Reached nobody"))
            #expect(send.contains("No device for APNs was registered for these tags"))
            let isNoticeHidden: Bool = try await inbox.browser.value(
                "document.querySelector('#nobody').hidden")
            #expect(isNoticeHidden)
        }
    }

    @Test("The suggested commands work unchanged")
    func suggestedCommandsWorkUnchanged() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            try await inbox.open()
            try await inbox.browser.wait("document.querySelectorAll('.hints pre').length === 2")
            let hints = try await inbox.text(".hints")
            let full = LocalHubRule.developmentFull
            #expect(hints.contains(inbox.address.connectionString(full)))
            // The hub accepts the page's own signature.
            let signature = try #require(
                hints.firstMatch(of: #/Authorization: (SharedAccessSignature [^']+)'/#)?.1)
            let body = #"{"aps":{"alert":"Hello"}}"#
            #expect(hints.contains(body))
            let answer = try await RawConnection.exchange(
                port: inbox.address.port,
                """
                POST /hubsend/messages?api-version=2020-06 HTTP/1.1\r
                Host: 127.0.0.1:\(inbox.address.port)\r
                Authorization: \(signature)\r
                ServiceBusNotification-Format: apple\r
                ServiceBusNotification-Tags: username:alice\r
                Content-Length: \(body.utf8.count)\r
                Connection: close\r
                \r
                \(body)
                """)
            #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
            try await inbox.waitForRows(1)
        }
    }

    @Test("New messages do not move the text being read")
    func newMessagesDoNotMoveTheTextBeingRead() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            for number in 1...30 {
                try await inbox.send(#"{"aps":{"alert":"Number \#(number)"}}"#)
            }
            try await inbox.open()
            try await inbox.waitForRows(30)
            let place = "document.querySelectorAll('#messages-list > li')[9]"
            let top = "\(place).getBoundingClientRect().top"
            let before: Double = try await inbox.browser.value(
                "(document.querySelector('#messages').scrollTop = 500, \(top))")
            for _ in 1...3 { try await inbox.send() }
            try await inbox.browser.wait("document.querySelector('#fresh').innerText === '3 new'")
            #expect(try await inbox.browser.value(top) == before)
            try await inbox.browser.click("#fresh")
            try await inbox.waitForRows(33)
            try await inbox.browser.wait("document.querySelector('#messages').scrollTop === 0")
        }
    }
}
