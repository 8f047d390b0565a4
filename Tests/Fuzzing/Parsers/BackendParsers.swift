import Foundation
import HTTPTypes

@testable import AppBackend

enum BackendParsers {
    static func htpasswd(_ bytes: [UInt8]) {
        _ = unlessRefused { try PasswordFile(bytes, path: "htpasswd") }
    }

    static func credentials(_ text: String) {
        guard let field = unlessRefused({ try AuthorizationField(text) }) else { return }
        switch field {
        case .basic(let encoded):
            _ = unlessRefused { try BasicCredentials(encoded: encoded) }
        case .bearer(let text):
            guard let token = unlessRefused({ try CompactToken(text) }) else { return }
            _ = unlessRefused { try TokenHeader(token.header).isForAccess }
            _ = unlessRefused {
                try JSONDecoder().decode(
                    TokenClaims.self, from: Data(token.claims), configuration: "sub")
            }
        case .other: break
        }
    }

    /// Each line is a proxy's field: `Forwarded` if it contains an equals sign.
    static func forwarded(_ bytes: [UInt8]) {
        var fields = HTTPFields()
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let isStandard = line.contains(UInt8(ascii: "="))
            guard let name = HTTPField.Name(isStandard ? "Forwarded" : "X-Forwarded-For") else {
                continue
            }
            fields.append(HTTPField(name: name, value: String(decoding: line, as: UTF8.self)))
        }
        for isProxy in [true, false] {
            _ = unlessRefused {
                try ForwardedHop.client(inForwarded: fields) { _ in isProxy }
            }
            _ = unlessRefused {
                try ForwardedHop.client(inXForwarded: fields) { _ in isProxy }
            }
        }
    }

    static func registration(_ bytes: [UInt8]) {
        _ = unlessRefused { try RegistrationDocument(Data(bytes)) }
    }
}
