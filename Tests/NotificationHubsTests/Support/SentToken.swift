import FoundationEssentials

/// A request's token, in every form in which a hub may repeat it.
struct SentToken: Sendable {
    let authorization: String
    /// The signature before percent-encoding.
    let signature: String

    init(_ request: ReceivedRequest) {
        authorization = request["Authorization"] ?? ""
        let encoded = authorization.split(separator: "&").first { $0.hasPrefix("sig=") } ?? ""
        signature = String(encoded.dropFirst(4)).replacing("%2B", with: "+")
            .replacing("%2F", with: "/").replacing("%3D", with: "=")
    }

    var forms: [String] {
        let escaped = signature.replacing("+", with: "%2B").replacing("/", with: "%2F")
            .replacing("=", with: "%3D")
        let half = signature.count / 2
        return [
            authorization, signature, escaped, escaped.lowercased(),
            escaped.replacing("%", with: "%25"),
            signature.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""),
            Data(signature.utf8).base64EncodedString(), Data(escaped.utf8).base64EncodedString(),
            Data(authorization.utf8).base64EncodedString(),
            String(signature.prefix(half)), String(signature.suffix(half)),
        ]
    }

    /// Whether a text contains ten consecutive characters of any form, checked at every third
    /// position.
    func isTold(in texts: [String]) -> Bool {
        let length = 10
        let all = Set(texts).joined(separator: " ")
        return forms.dropFirst().contains { form in
            let characters = Array(form)
            return stride(from: 0, through: characters.count - length, by: 3).contains { start in
                all.contains(String(characters[start..<start + length]))
            }
        }
    }
}
