import CampaignCore
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct SharedAccessSignatureTests {
    private static let expiry = 1_767_225_600
    private static let rule = "DefaultFullSharedAccessSignature"

    private static func sign(_ encodedAudience: String) -> String {
        SharedAccessSignature(
            encodedAudience: encodedAudience, expiry: expiry, keyName: rule,
            key: SharedAccessKey(Secret.key)
        ).authorization
    }

    @Test("The first reference signature is reproduced byte for byte")
    func firstReferenceSignatureIsReproducedByteForByte() {
        let audience = PercentEncoding.encode(
            "https://contoso.servicebus.windows.net/myhub"
        ).lowercased()

        #expect(
            Self.sign(audience)
                == "SharedAccessSignature sr=https%3a%2f%2fcontoso.servicebus.windows.net%2fmyhub"
                + "&sig=byK4VkxOKEGkC5t85JVxBSAxTjDS9VAT9pVB6PQm05U%3D&se=1767225600"
                + "&skn=DefaultFullSharedAccessSignature")
    }

    @Test(
        "The other reference signatures sign the audience exactly as given",
        arguments: [
            (
                "http%3a%2f%2fcontoso.servicebus.windows.net%2fmyhub%2fmessages%2f",
                "shWR/Mt3WVM/w0F7VRdiFdf5aWNtiKs2xexV7Z3F5Ug="
            ),
            (
                "https%3A%2F%2Fcontoso.servicebus.windows.net%2F",
                "X5ikjhLiNhGth58tbNl9jvZ2LSnGACYAoUzjL2+s6fI="
            ),
            (
                "http%3a%2f%2f127.0.0.1%3a8080%2fmyhub",
                "/R9YEcQjUW4bTKMIzfi7Fc9BEEtiLOYsaq9OPp6Bh8c="
            ),
        ])
    func otherReferenceSignaturesSignTheAudienceExactlyAsGiven(audience: String, signature: String)
    {
        #expect(
            Self.sign(audience)
                == "SharedAccessSignature sr=\(audience)&sig=\(PercentEncoding.encode(signature))"
                + "&se=1767225600&skn=\(Self.rule)")
    }

    @Test(
        "A token never equals a signature made with a known mistake",
        arguments: [
            "OegeBRFQMIZfATcNJ8yo8/40mYQcTcvVAomAySAL6WA=",
            "+5xNwcAbcPIZ8RuGT5HodW+zaVrpipdM66c+aKnph1Y=",
        ])
    func tokenNeverEqualsASignatureMadeWithAKnownMistake(wrong: String) {
        let token = Self.sign(
            PercentEncoding.encode("https://contoso.servicebus.windows.net/myhub").lowercased())

        #expect(!token.contains(PercentEncoding.encode(wrong)))
    }

    @Test("Only unreserved bytes are left unencoded") func onlyUnreservedBytesAreLeftUnencoded() {
        #expect(PercentEncoding.encode("aZ09-_.~") == "aZ09-_.~")
        #expect(PercentEncoding.encode("+/= :ä\n") == "%2B%2F%3D%20%3A%C3%A4%0A")
    }

    @Test("The rule's name is percent-encoded") func rulesNameIsPercentEncoded() {
        let token = SharedAccessSignature(
            encodedAudience: "a", expiry: 1, keyName: "a&sig=b", key: SharedAccessKey("k"))

        #expect(token.authorization.hasSuffix("&skn=a%26sig%3Db"))
    }
}
