import Crypto
import Foundation

@testable import LocalHub

/// Signs requests like each client, with its audience, hex case and order of parts.
enum WireSignature: String {
    case docs
    case dotnet
    case java
    case js
    case go
    case python
    case php
    case ios
    case android

    private static let expiry = Int(HubUnderTest.now.timeIntervalSince1970) + 1_200

    func header(_ rule: LocalHubRule, host: String, target: String) -> String {
        let resource = resource(host: host, target: target)
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(resource)\n\(Self.expiry)".utf8),
            using: SymmetricKey(data: Data(rule.key.utf8)))
        let signature = Self.encode(Data(code).base64EncodedString(), upperCase: self == .go)
        let parts = [
            "sr": resource, "sig": signature, "se": String(Self.expiry), "skn": rule.name,
        ]
        return "SharedAccessSignature "
            + order.map { "\($0)=\(parts[$0] ?? "")" }.joined(separator: "&")
    }

    private var order: [String] {
        switch self {
        case .go: ["se", "sig", "skn", "sr"]
        case .python: ["sig", "se", "skn", "sr"]
        case .docs, .dotnet, .java, .js, .php, .ios, .android: ["sr", "sig", "se", "skn"]
        }
    }

    private func resource(host: String, target: String) -> String {
        let path = target.prefix { $0 != "?" }
        switch self {
        case .dotnet:
            let bare = host.prefix { $0 != ":" }
            let slash = path.hasSuffix("/") ? "" : "/"
            return Self.encode("http://\(bare)\(path)\(slash)".lowercased())
        case .java, .php:
            return Self.encode("https://\(host)\(target)".lowercased()).lowercased()
        case .js:
            return Self.encode("https://\(host)/".lowercased(), upperCase: true)
        case .go:
            return Self.encode("http://\(host)", upperCase: true)
        case .python:
            let hub = path.split(separator: "/").first ?? ""
            return Self.encode("https://\(host)/\(hub)".lowercased())
        case .docs:
            return Self.encode("http://\(host)".lowercased())
        case .ios:
            return Self.encode("http://\(host)\(target)".lowercased())
        case .android:
            return Self.encode("https://\(host)\(target)", upperCase: true).lowercased()
        }
    }

    private static func encode(_ text: String, upperCase: Bool = false) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                return String(Character(Unicode.Scalar(byte)))
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
                return String(Character(Unicode.Scalar(byte)))
            default:
                return "%" + String(format: upperCase ? "%02X" : "%02x", byte)
            }
        }.joined()
    }
}
