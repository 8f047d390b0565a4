import Foundation
import TestBrowser
import Testing

@testable import LocalHub

extension InboxBrowserTests {
    private static let image = #"<img src=x onerror="window.ran=1">"#
    private static let script = "</script><script>window.ran=2</script>"

    @Test("Script in pushes is shown as text") func scriptInPushesIsShownAsText() async throws {
        try await InboxUnderTest.run({ configuration in
            configuration.devices = [
                LocalHubDevice(platform: .apns, handle: Self.image, tags: ["username:alice"]),
                LocalHubDevice(platform: .wns, handle: Self.script, tags: ["username:alice"]),
            ]
        }) { inbox in
            let browser = inbox.browser
            let body = try JSONSerialization.data(withJSONObject: [
                "aps": ["alert": ["title": Self.image, "body": Self.script]],
                "secureId": Self.image, Self.script: Self.image,
            ])
            let first = try await inbox.send(
                String(decoding: body, as: UTF8.self),
                headers: ["User-Agent": Self.image, "apns-push-type": Self.script],
                query: "&x=\(Self.image.replacing(" ", with: "%20"))")
            let second = try await inbox.send(
                "<toast><visual><binding><text>\(Self.script)</text></binding></visual></toast>",
                format: "windows",
                headers: ["X-WNS-Type": "wns/toast", "X-WNS-Tag": Self.image])
            #expect(first == 201 && second == 201)
            try await inbox.open()
            try await inbox.waitForRows(2)
            for message in 1...2 {
                try await browser.perform("location.hash = '#message=\(message)'")
                try await browser.wait(
                    "document.querySelector('#detail-title').innerText === 'Message \(message)'")
                #expect(try await inbox.text("#detail").contains(Self.image))
            }
            try await browser.perform("location.hash = '#view=sends'")
            try await browser.wait("document.querySelector('#sends-list li')")
            try await expectOnlyText(in: inbox)
            // The address of the page is also text from outside.
            let place = try #require(
                "user=\(Self.image)&search=\(Self.script)&outcome=\(Self.script)&view=x&message=x"
                    .addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed))
            try await inbox.reopen("#\(place)")
            try await browser.wait(
                "document.querySelector('#only').innerText.includes('<img src=x')")
            try await browser.click("#faults-open")
            try await browser.click("#fault")
            try await browser.press(Self.image + Browser.Key.enter)
            try await browser.wait(
                "document.querySelector('#faults-error').innerText.includes('<img src=x')")
            try await expectOnlyText(in: inbox)
        }
    }

    /// Every string in a response is replaced with script, even strings that never come from
    /// outside.
    @Test("Script in any field is shown as text") func scriptInAnyFieldIsShownAsText() async throws
    {
        try await InboxUnderTest.run({ configuration in
            InboxUnderTest.withThreeDevices(&configuration)
            configuration.faults = [FaultRule(.latency(.milliseconds(1), jitter: .zero))]
        }) { inbox in
            let browser = inbox.browser
            try await inbox.send()
            try await inbox.send(
                #"{"aps":{"content-available":1},"secureId":"mfrggzdf"}"#,
                headers: ["apns-push-type": "background", "apns-priority": "10"])
            let poison = try await browser.run(beforePages: Self.poison)
            try await inbox.open()
            try await inbox.waitForRows(2)
            try await browser.wait("document.querySelector('#devices-list li')")
            let list = try await inbox.text("#messages-list")
            #expect(list.contains(Self.image) && list.contains(Self.script))
            #expect(try await inbox.text("#devices-list").contains(Self.image))
            try await browser.perform("location.hash = '#view=sends&message=2'")
            try await browser.wait(
                "document.querySelector('.outcome') && document.querySelector('#sends-list li')")
            #expect(try await inbox.text("#sends-list").contains(Self.image))
            #expect(try await inbox.text("#detail").contains(Self.script))
            try await browser.click("#faults-open")
            try await browser.wait("document.querySelector('#faults-list li')")
            #expect(try await inbox.text("#faults-list").contains(Self.image))
            try await expectOnlyText(in: inbox)
            try await browser.stopRunning(poison)
        }
    }

    /// Replaces all strings and header names in the hub's responses.
    private static let poison = """
        {
            const text = \(Browser.json(image + script));
            const poisoned = (value, name) => {
                if (typeof value === "string") return name === "kind" ? value : text;
                if (Array.isArray(value)) return value.map((each) => poisoned(each, name));
                if (value === null || typeof value !== "object") return value;
                return Object.fromEntries(Object.entries(value).map(([key, each]) => [
                    name === "headers" ? text + key : key, poisoned(each, key)]));
            };
            const read = Response.prototype.json;
            Response.prototype.json = async function () { return poisoned(await read.call(this)); };
            const parse = JSON.parse;
            JSON.parse = (...all) => poisoned(parse(...all));
        }
        """

    private func expectOnlyText(in inbox: InboxUnderTest) async throws {
        let found: [String] = try await inbox.browser.value(
            """
            [
                ...document.querySelectorAll(
                    "img, iframe, object, embed, svg, base, body script ~ script, [style], [src]"),
                ...[...document.querySelectorAll("*")].filter((element) =>
                    [...element.attributes].some(({ name, value }) =>
                        name.startsWith("on") || name === "href" && !/^(#|data:image)/.test(value))),
            ].map((element) => element.outerHTML)
            """)
        #expect(found == [])
        #expect(try await inbox.browser.value("typeof window.ran") == "undefined")
        try await inbox.expectGoodManners()
    }
}
