import FoundationEssentials

/// What a request proved its right with, in the forms in which a hub may repeat it.
struct SentToken: Sendable {
    /// The value of `Authorization`.
    let authorization: String
    /// The signature as it is before it is percent-encoded.
    let signature: String

    init(_ request: ReceivedRequest) {
        authorization = request["Authorization"] ?? ""
        let encoded = authorization.split(separator: "&").first { $0.hasPrefix("sig=") } ?? ""
        signature = String(encoded.dropFirst(4)).replacing("%2B", with: "+")
            .replacing("%2F", with: "/").replacing("%3D", with: "=")
    }

    /// All of it, the signature alone and parts of it, and what encodings make of them.
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

    /// Whether any of some texts has ten characters of any form in a row, at every third place of it.
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
