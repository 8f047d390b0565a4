import TestSupport
import Testing

@testable import App

/// Tests that personal and secret values are removed from the log.
@Suite(.bounded) struct RedactionTests {
    @Test(
        "Names, secrets and handles are removed",
        arguments: [
            ("HTTP 400: no device of username:alice", "HTTP 400: no device of username:***"),
            ("username:a@b.example || username:-b", "username:*** || username:***"),
            (
                "GET /hub/tags/username%3Aa%40b/registrations",
                "GET /hub/tags/username%3A***/registrations"
            ),
            ("a username: none", "a username: none"),
            ("the tag username:", "the tag username:"),
            (
                "Endpoint=sb://x/;SharedAccessKey=abc;Z=1",
                "Endpoint=sb://x/;SharedAccessKey=***;Z=1"
            ),
            ("password: hunter2", "password: *******"),
            (
                "no handle 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
                "no handle ****************************************"
            ),
        ])
    func namesSecretsAndHandlesAreRemoved(text: String, expected: String) {
        #expect(Redaction.text(text) == expected)
    }

    /// A log without these facts would be useless, so they are kept.
    @Test(
        "Facts about a run are not redacted",
        arguments: [
            "20261201T080000Z-abcdef", "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
            "/var/lib/hubsend/store.sqlite", "HTTP 429 for 12 s", "connection refused",
            "spring-sale.servicebus.windows.net/hub",
        ])
    func factsAboutARunAreNotRedacted(text: String) {
        #expect(Redaction.text(text) == text)
    }
}
