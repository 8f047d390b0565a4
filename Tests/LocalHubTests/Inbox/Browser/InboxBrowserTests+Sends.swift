import Foundation
import TestBrowser
import Testing

@testable import LocalHub

extension InboxBrowserTests {
    private static let sends = "document.querySelectorAll('#sends-list > li').length"
    private static let order =
        #"{"message":{"notification":{"title":"Order","body":"On its way"}}}"#

    @Test("Opening a send shows its request and devices")
    func openingASendShowsItsRequestAndDevices() async throws {
        try await InboxUnderTest.run({ configuration in
            configuration.devices = (1...60).map {
                LocalHubDevice(user: "user\($0)", platform: .apns, handle: "\($0)")
            }
        }) { inbox in
            let browser = inbox.browser
            try await inbox.send(
                #"{"aps":{"alert":"Everybody"}}"#, to: nil, headers: ["User-Agent": "my-program/1"])
            try await inbox.open("#view=sends")
            try await browser.wait("\(Self.sends) === 1")
            try await browser.click("#sends-list a")
            try await browser.wait("document.activeElement.innerText === 'Send'")
            let detail = try await inbox.text("#detail")
            for part in [
                "60 arrived", "none: sent to every device", "1 to 50 of 60 devices", "user50",
                "POST",
                "/hubsend/messages?api-version=2020-06", "my-program/1", "Everybody",
                "hidden; not stored by the hub",
            ] {
                #expect(detail.contains(part), "\(part)")
            }
            #expect(!detail.contains("SharedAccessSignature") && !detail.contains("user51"))
            let buttons = "[...document.querySelectorAll('#detail .end-buttons button')]"
            try await browser.perform("\(buttons)[1].click()")
            try await browser.wait(
                "document.querySelector('#detail').innerText.includes('51 to 60 of 60 devices')")
            try await browser.perform("\(buttons)[0].click()")
            try await browser.wait(
                "document.querySelector('#detail').innerText.includes('1 to 50 of 60 devices')")
            try await browser.click("#detail ol.rows a")
            try await browser.wait(
                "document.querySelector('#detail-title').innerText === 'Message 1'")
            try await browser.back()
            try await browser.wait("document.querySelector('#detail-title').innerText === 'Send'")
            try await browser.press(Browser.Key.escape)
            try await browser.wait("!document.body.classList.contains('is-open')")
        }
    }

    @Test("A refused push shows the reason next to its device")
    func refusedPushShowsTheReasonNextToItsDevice() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            try await inbox.send(headers: ["apns-push-type": "background", "apns-priority": "5"])
            try await inbox.open("#view=sends")
            try await inbox.browser.wait("\(Self.sends) === 1")
            try await inbox.browser.click("#sends-list a")
            try await inbox.browser.wait("document.querySelector('#detail ol.rows li')")
            let device = try await inbox.text("#detail ol.rows li")
            #expect(device.contains("alice") && device.contains("Dropped"))
            #expect(device.contains("requires content-available 1 in aps"))
        }
    }

    @Test("Search and filters also apply to sends")
    func searchAndFiltersAlsoApplyToSends() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            let browser = inbox.browser
            try await inbox.send()
            try await inbox.send(Self.order, to: "username:bob", format: "fcmv1")
            try await inbox.send(headers: ["apns-push-type": "background"])
            try await inbox.open("#view=sends")
            try await browser.wait("\(Self.sends) === 3")
            try await browser.click("#search")
            try await browser.press("ON ITS WAY")
            try await browser.wait("\(Self.sends) === 1")
            #expect(try await inbox.text("#sends-list").contains("username:bob"))
            try await browser.perform("document.querySelector('#view-messages').click()")
            try await inbox.waitForRows(1)
            #expect(try await inbox.text("#messages-list").contains("bob"))
            try await browser.perform("location.hash = '#view=sends&search=nothing'")
            try await browser.wait("document.querySelector('#sends-empty h3')")
            #expect(try await inbox.text("#sends-empty h3") == "No matching sends")
            try await browser.perform("location.hash = '#view=sends&outcome=refused'")
            try await browser.wait("\(Self.sends) === 1")
            try await browser.perform("location.hash = '#view=sends&user=alice'")
            try await browser.wait("\(Self.sends) === 2")
            #expect(try await inbox.text("#sends-only").contains("Only to alice"))
            try await browser.click("#sends-only-close")
            try await browser.wait("\(Self.sends) === 3")
        }
    }

    @Test("Sends can be read with the keyboard") func sendsCanBeReadWithTheKeyboard() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            let browser = inbox.browser
            for name in ["alice", "nobody"] { try await inbox.send(to: "username:\(name)") }
            try await inbox.open("#view=sends")
            try await browser.wait("\(Self.sends) === 2")
            try await browser.press("j")
            try await browser.wait("document.activeElement.innerText.includes('username:nobody')")
            try await browser.press(Browser.Key.down)
            try await browser.wait("document.activeElement.innerText.includes('username:alice')")
            try await browser.press(Browser.Key.enter)
            try await browser.wait(
                "document.querySelector('#detail .outcome')?.innerText === '1 arrived'")
            try await browser.press("k")
            try await browser.wait(
                "document.querySelector('#detail .outcome').innerText.includes('Reached nobody')")
            try await browser.press(Browser.Key.escape)
            try await browser.wait("document.activeElement.innerText.includes('username:nobody')")
            #expect(try await browser.value("location.hash") == "#view=sends")
        }
    }

    @Test("Badge, sound and picture are shown with the text")
    func badgeSoundAndPictureAreShownWithTheText() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            try await inbox.send(
                #"{"aps":{"alert":{"title":"Sale","subtitle":"Two days","body":"Half price"},"badge":7,"sound":"chime.caf"}}"#
            )
            try await inbox.send(
                #"{"message":{"notification":{"title":"Order","image":"https://cdn.example/a.png"}}}"#,
                to: "username:bob", format: "fcmv1")
            try await inbox.send(
                "<toast><visual><binding><text>One</text><text>Two</text><text>Three</text>"
                    + "</binding></visual></toast>", to: "username:carol", format: "windows",
                headers: ["X-WNS-Type": "wns/toast"])
            try await inbox.open()
            try await inbox.waitForRows(3)
            let rows: [String] = try await inbox.browser.value(
                "[...document.querySelectorAll('#messages-list > li')].map((row) => row.innerText)")
            #expect(rows[0].contains("One\nTwo\nThree"))
            #expect(rows[1].contains("Order") && rows[1].contains("https://cdn.example/a.png"))
            #expect(rows[2].contains("Sale\nTwo days\nHalf price\nBadge 7\nSound chime.caf"))
        }
    }

    @Test("An unregistered device is shown with an unknown user")
    func unregisteredDeviceIsShownWithAnUnknownUser() async throws {
        try await InboxUnderTest.run { inbox in
            let browser = inbox.browser
            try await inbox.send(
                to: nil, headers: ["ServiceBusNotification-DeviceHandle": "AB12"], query: "&direct")
            try await inbox.open("#message=1")
            try await inbox.waitForRows(1)
            try await browser.wait("document.querySelector('.outcome')")
            #expect(try await inbox.text("#messages-list").contains("unknown user, device AB12"))
            #expect(try await inbox.text("#detail").contains("the device was never registered"))
            try await browser.wait("document.querySelector('#devices-list a')")
            #expect(try await inbox.text("#devices-list").contains("Unknown user"))
        }
    }

    private static let id = "abcdefghijklmnopqrstuvwx27"
    private static let secure = #"{"aps":{"content-available":1},"secureId":"\#(id)"}"#

    private func openSecurePush(in inbox: InboxUnderTest) async throws {
        try await inbox.send(
            Self.secure, headers: ["apns-push-type": "background", "apns-priority": "5"])
        try await inbox.open("#message=1")
        try await inbox.browser.wait(
            "document.querySelector('#detail').innerText.includes('What the app fetches')")
    }

    @Test("Without a backend, the page shows the address of the payload")
    func withoutABackendThePageShowsTheAddressOfThePayload() async throws {
        try await InboxUnderTest.run(InboxUnderTest.withThreeDevices) { inbox in
            try await openSecurePush(in: inbox)
            let detail = try await inbox.text("#detail")
            #expect(detail.contains("GET /api/notifications/\(Self.id)"))
            #expect(detail.contains("--backend URL and --user NAME"))
            #expect(detail.contains("hubsend serve"))
        }
    }

    @Test("A picture is drawn, and other users' payloads are not offered")
    func pictureIsDrawnAndOtherUsersPayloadsAreNotOffered() async throws {
        try await InboxUnderTest.run({ configuration in
            InboxUnderTest.withThreeDevices(&configuration)
            configuration.payloads = PayloadBackend(
                address: "https://push.example", user: "alice"
            ) { _ throws(PayloadBackend.Failure) in
                PayloadBackend.Payload(mediaType: "image/gif", content: Self.gif)
            }
        }) { inbox in
            let browser = inbox.browser
            try await openSecurePush(in: inbox)
            try await browser.wait("document.querySelector('#detail .payload')")
            try await browser.perform(Self.showPayload)
            try await browser.wait("document.querySelector('#detail .payload img')")
            let width: Int = try await browser.result(
                of: """
                    const picture = document.querySelector('#detail .payload img');
                    await picture.decode();
                    return picture.naturalWidth;
                    """)
            #expect(width == 1)
            let blocks: Int = try await browser.value(
                "document.querySelectorAll('#detail .payload pre').length")
            #expect(blocks == 0)
            try await inbox.send(
                #"{"message":{"data":{"secureId":"\#(Self.id)"}}}"#, to: "username:bob",
                format: "fcmv1")
            try await browser.perform("location.hash = '#message=2'")
            try await browser.wait(
                "document.querySelector('#detail').innerText.includes('given by --user')")
            let offered: Int = try await browser.value(
                "document.querySelectorAll('#detail .payload').length")
            #expect(offered == 0)
        }
    }

    /// One pixel, padded to more bytes than are shown of other payloads.
    private static let gif =
        Array(Data(base64Encoded: "R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=") ?? Data())
        + [UInt8](repeating: 0xFF, count: 70_000)
    private static let showPayload =
        """
        [...document.querySelectorAll('#detail button')]
            .find((button) => button.innerText === 'Show the payload').click()
        """

    @Test("A payload is fetched on request and shown as text")
    func payloadIsFetchedOnRequestAndShownAsText() async throws {
        let image = #"<img src=x onerror="window.ran=1">"#
        try await InboxUnderTest.run({ configuration in
            InboxUnderTest.withThreeDevices(&configuration)
            configuration.payloads = PayloadBackend(
                address: "https://push.example", user: "alice"
            ) { id throws(PayloadBackend.Failure) in
                PayloadBackend.Payload(mediaType: image, content: Array("\(id) \(image)".utf8))
            }
        }) { inbox in
            let browser = inbox.browser
            try await openSecurePush(in: inbox)
            try await browser.wait("document.querySelector('#detail .payload')")
            #expect(
                try await inbox.text("#detail").contains(
                    "https://push.example/api/notifications/\(Self.id)"))
            #expect(try await inbox.text("#detail .payload") == "")
            try await browser.perform(Self.showPayload)
            try await browser.wait("document.querySelector('#detail .payload pre')")
            #expect(try await inbox.text("#detail .payload pre") == "\(Self.id) \(image)")
            #expect(try await inbox.text("#detail .payload").contains(image))
            #expect(try await browser.value("typeof window.ran") == "undefined")
            let images: Int = try await browser.value("document.querySelectorAll('img').length")
            #expect(images == 0)
        }
    }
}
