import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct SecretMaskTests {
    @Test(
        "Secrets are masked in place",
        arguments: [
            (
                "Endpoint=sb://x/;SharedAccessKey=abc;Z=1",
                "Endpoint=sb://x/;SharedAccessKey=***;Z=1"
            ),
            ("Authorization: Bearer abc.def", "Authorization: Bearer *******"),
            ("password: hunter2", "password: *******"), ("password=\"hun\"", "password=\"***\""),
            ("https://me:geheim@host/x", "https://me:******@host/x"),
            ("https://host/?a=1&sig=abc&b=2", "https://host/?a=1&sig=***&b=2"),
            ("api_key: 'abc'", "api_key: '***'"),
            (
                "x dGhpcyBpcyBub3QgYSByZWFsIGtleSwgYnV0IGxvbmc= y",
                "x *******************************************= y"
            ),
            (
                "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
                "****************************************"
            ),
        ])
    func secretsAreMaskedInPlace(_ text: String, _ expected: String) {
        #expect(SecretMask.apply(to: text) == expected)
    }

    /// The secret in each text is `horse`, or the run of capitals and digits.
    @Test(
        "No part of a masked secret remains",
        arguments: [
            "DB_PASSWORD=horse", "export PGPASSWORD='horse, and ho''rse'", "clientSecret: horse",
            "{ user: alice, pwd: horse with horse }", "x-api-key: horse",
            "PASSWORD2 = \"ho\\\"rse\"",
            "{\"user\":\"alice\",\"password\":\"horse\"}", "\\\"token\\\":\\\"horse\\\" x",
            "SECRET_KEY_BASE=horse;horse&horse", "  - credentials: horse of horse # horse",
            "db.example:5432:shop:alice:horse: of horse", "say \"h:*:d:u:horse\"",
            "Authorization: Basic horse", "\"authorization\": \"horse\"", "mysql --password horse",
            "Server=x;Uid=y;Pwd=horse;Z=1", "postgres://alice:horse@db/shop",
            "hub_connection_string=Endpoint=sb://x/;SharedAccessKey=horse",
            "-----BEGIN RSA PRIVATE KEY-----\\nhorse\\nhorse\\n-----END RSA PRIVATE KEY-----",
            "id AKIAHORSE0HORSE12345 x",
            "x Zm9vYmFyYmF6/0123456789ABCDEF/cXV1eGNvcmdlZ3JhdWx0 y",
            "x keys/0123456789abcdef0123456789ABCDEF/0123456789abcdef0123456789ABCDEFGHIJKLMN.pem",
            "see https://x.example/ghp_0123456789ABCDEFHORSE",
            "x 0123456789abcdef0123456789ABCDEF y",
            "postgres://alice:ho&rse@db/shop", "x: 'amqp://me:ho;,)'rse@mq' y",
            "dsn: \"Host=db;Password=correct horse;Port=1\"", "a: \"x;Pwd = ho,rse and) rse;b\"",
            "{ a: 1, secrets: { db: horse, web: nurse } }", "{ passphrase: [horse, nurse] }",
            "{ a: 1, token: { a: \"}\", b: [x], c: horse }",
            "{\\\"secrets\\\":{\\\"a\\\":\\\"}\\\",\\\"b\\\":\\\"horse\\\"}}",
            "{ name: DB_PASSWORD, value: horse }", "{\"name\":\"DB_PASSWORD\",\"value\":\"horse\"}",
            "{ value: horse, name: clientSecret }",
            "env: [{ name: a, value: b }, { name: token, value: [horse] }]",
            "- name: DB_PASSWORD\n  value: correct horse",
            "{ Name: pwd, of: { name: x, value: y }, Value: 'horse' }",
        ])
    func noPartOfAMaskedSecretRemains(_ text: String) {
        let masked = SecretMask.apply(to: text)
        #expect(masked.unicodeScalars.count == text.unicodeScalars.count)
        #expect(!masked.lowercased().contains("rse"), "\(masked)")
        #expect(!masked.contains("0123456"), "\(masked)")
        #expect(masked.contains("***"), "\(masked)")
    }

    @Test(
        "Masking takes linear time",
        arguments: [
            "a=", "token ", "password:", "\"password\\", "://:@", "h:1:",
            "-----BEGIN PRIVATE KEY-----",
            "PRIVATE KEY-----", "-----END", "bearer \t", "A1b", "'", "password: ", "aB", "pwd=x ",
            "pwd=x ;", "token: {", "token: [\"", "{value: [ name: token ", "name: value: ", "{",
            "}",
            "{name: token, value: ", "://x:'@,", "value: name: token\n", "a/.b",
        ])
    func maskingTakesLinearTime(_ piece: String) {
        // Quadratic work would take seconds.
        let text = String(repeating: piece, count: 15_000 / piece.utf8.count)
        let masked = SecretMask.apply(to: text)
        #expect(masked.unicodeScalars.count == text.unicodeScalars.count)
    }

    @Test("A secret is masked even if its name is cut off")
    func secretIsMaskedEvenIfItsNameIsCutOff() throws {
        let folder = try TemporaryFolder()
        let text =
            "{campaign: x, kind: secure, \"password\": \"\(String(repeating: "horse ", count: 40))"
        let loaded = try folder.load(text + "\", platforms: [apns], tpye: x}\n")
        let output = TextDiagnosticRenderer().render(loaded.diagnostics)
        #expect(output.contains("tpye"))
        #expect(output.contains("…") && !output.contains("horse"), "\(output)")
    }

    @Test("A path in an error is shown") func pathInAnErrorIsShown() throws {
        let folder = try TemporaryFolder()
        let path = "Loyalty-Members-Germany-Export2026-Final.csv"
        for campaign in [
            TemporaryFolder.campaign(audience: "files: [\(path)]"),
            TemporaryFolder.campaign(payload: "file: \(path)"),
        ] {
            let output = TextDiagnosticRenderer().render(try folder.load(campaign).diagnostics)
            #expect(output.contains("There is no file \"\(path)\"."), "\(output)")
        }
    }

    @Test(
        "Text that contains no secret is not masked",
        arguments: [
            "kind: secret", "message: the key is under the mat", "https://host/path?page=2",
            "audiences/a-very-long-name-of-a-folder/and-a-long-file-name-in-it.csv", "alice@host",
            "The key \"kind\" is missing.", "username:alice", "token ring", "wrong_tokens: 5%",
            "tls: { certificate: a.pem, key: b.pem }", "connection_string_file: hub.key",
            "PASSWORD_FILE=/run/secrets/db", "2001:0:0:0:0:0:0:1", "a.yaml:3:1: error: b",
            "Turkey: 20%",
            "SharedAccessKeyName=root", "{ name: city, value: Rome }",
            "{ value: Rome, name: city }",
            "files: [audiences/Export2026/Loyalty-Members-Germany-Final.csv]",
            "{ name: token }, { value: x }", "http://db:80, alice@host",
        ])
    func textThatContainsNoSecretIsNotMasked(_ text: String) {
        #expect(SecretMask.apply(to: text) == text)
    }
}
