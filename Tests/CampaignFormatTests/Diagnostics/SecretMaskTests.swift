import TestSupport
import Testing

@testable import CampaignFormat

/// What is taken for a secret.
@Suite(.bounded) struct SecretMaskTests {
    @Test(arguments: [
        ("Endpoint=sb://x/;SharedAccessKey=abc;Z=1", "Endpoint=sb://x/;SharedAccessKey=***;Z=1"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer *******"),
        ("password: hunter2", "password: *******"), ("password=\"hun\"", "password=\"***\""),
        ("https://me:geheim@host/x", "https://me:******@host/x"),
        ("https://host/?a=1&sig=abc&b=2", "https://host/?a=1&sig=***&b=2"),
        ("api_key: 'abc'", "api_key: '***'"),
        (
            "x dGhpcyBpcyBub3QgYSByZWFsIGtleSwgYnV0IGxvbmc= y",
            "x *******************************************= y"
        ),
        ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "****************************************"),
    ])
    func secretsAreMaskedInPlace(_ text: String, _ expected: String) {
        #expect(SecretMask.apply(to: text) == expected)
    }

    @Test(arguments: [
        "kind: secret", "message: the key is under the mat", "https://host/path?page=2",
        "audiences/a-very-long-name-of-a-folder/and-a-long-file-name-in-it.csv", "alice@host",
        "The key \"kind\" is missing.", "username:alice", "token ring",
    ])
    func otherTextStays(_ text: String) {
        #expect(SecretMask.apply(to: text) == text)
    }
}
