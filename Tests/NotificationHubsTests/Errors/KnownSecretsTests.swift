import CampaignCore
import FoundationEssentials
import NIOHTTP1
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct KnownSecretsTests {
    private static let signature = "q8Jx+0bTz/Vw3Lr5Yk1NnE7hGdPuS2cXfA9mQoRiB4s="
    private let secrets = KnownSecrets([Secret.key, signature])

    @Test(
        "A secret is hidden in every encoding",
        arguments: [
            ("the token \(signature) is wrong", "the token (hidden) is wrong"),
            ("sent sig=q8Jx%2B0bTz%2fVw3Lr5Yk1NnE7hGdPuS2cXfA9mQoRiB4s%3D!", "sent sig=(hidden)"),
            ("q8Jx%252B0bTz%252FVw3Lr5Yk1NnE7hGdPuS2cXfA9mQoRiB4s%253D", "(hidden)"),
            ("q8Jx&#43;0bTz&#47;Vw3Lr5Yk1NnE7hGdPuS2cXfA9mQoRiB4s&#61;", "(hidden)"),
            ("(q8Jx-0bTz_Vw3Lr5Yk1NnE7hGdPuS2cXfA9mQoRiB4s)", "((hidden))"),
            ("q8Jx +0bT z/Vw 3Lr5 Yk1N nE7h GdPu S2cX fA9m QoRi B4s= end", "(hidden) end"),
            ("it begins with q8Jx+0bTz/V", "it begins with (hidden)"),
            ("it ends with mQoRiB4s=, he says", "it ends with (hidden), he says"),
            ("SharedAccessKey=\(Secret.key);EntityPath=a b", "SharedAccessKey=(hidden) b"),
            ("\(signature) and \(signature)", "(hidden) and (hidden)"),
            ("ä„\(signature)“ß", "ä„(hidden)“ß"), (signature.uppercased(), "(hidden)"),
        ])
    func secretIsHiddenInEveryEncoding(text: String, shown: String) {
        #expect(secrets.hidden(in: text) == shown)
        #expect(secrets.areTold(by: text.utf8))
    }

    @Test("A secret is hidden in Base64 at any offset") func secretIsHiddenInBase64AtAnyOffset() {
        let escaped = PercentEncoding.encode(Self.signature)
        for before in ["", "a", "ab", "Authorization: SharedAccessSignature sr=x&sig="] {
            for secret in [Self.signature, escaped, Secret.key] {
                let encoded = Data("\(before)\(secret)&se=1".utf8).base64EncodedString()
                #expect(secrets.hidden(in: "got \(encoded).") == "got (hidden)")
            }
        }
    }

    @Test(
        "Text without a secret is unchanged",
        arguments: [
            "", "%", "%2", "%%%", "a", "InvalidSignature: The token has an invalid signature..",
            "The audience is invalid: sb://contoso.servicebus.windows.net/news, rule Send",
            "7362f1a0-2018-33-18-4fd2c7b1e9a8", "q8Jx+0b", "ä\u{1F600}", "0123456789abcdef",
        ])
    func textWithoutASecretIsUnchanged(text: String) {
        #expect(secrets.hidden(in: text) == text)
        #expect(!secrets.areTold(by: text.utf8))
        #expect(KnownSecrets.none.hidden(in: text) == text)
    }

    @Test("A short key is hidden as a whole") func shortKeyIsHiddenAsAWhole() {
        let short = KnownSecrets(["hubsend-key", "ab"])
        #expect(short.hidden(in: "the hubsend-key, or hubsend?") == "the (hidden), or hubsend?")
        #expect(short.hidden(in: "abc") == "abc")
    }

    @Test("An ID that contains a secret is ignored") func idThatContainsASecretIsIgnored() {
        for id in [Self.signature, "x-\(Self.signature.suffix(20))", Secret.key] {
            var answer = HubAnswer(
                status: 201,
                headers: [
                    "Location": "https://h/news/messages/\(PercentEncoding.encode(id))?a=b",
                    "TrackingId": id, "x-ms-correlation-request-id": id,
                ], body: [])
            answer.sentTrackingID = "sent"
            answer.secrets = secrets
            #expect(answer.locationID == nil)
            #expect(answer.trackingID == nil)
            #expect(answer.supportID == "sent")
            #expect(answer.correlationID == nil)
        }
    }

    @Test("Secrets are hidden after cleaning and before truncating")
    func secretsAreHiddenAfterCleaningAndBeforeTruncating() {
        let spread = Self.signature.map { "\($0)\u{200B}" }.joined()
        #expect(ForeignText.cleaned("a \(spread) b", hiding: secrets) == "a (hidden) b")
        let long = String(repeating: "- ", count: 95) + Self.signature
        #expect(
            ForeignText.cleaned(long, hiding: secrets)
                == String(repeating: "- ", count: 95) + "(hidden)")
    }

    @Test("KnownSecrets never prints its secrets") func knownSecretsNeverPrintsItsSecrets() {
        for text in Secret.texts(of: secrets) {
            #expect(!Secret.isIn(text) && !secrets.areTold(by: text.utf8))
        }
    }
}
