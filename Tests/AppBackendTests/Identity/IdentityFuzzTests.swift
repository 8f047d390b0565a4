import CampaignCore
import HTTPTypes
import TestSupport
import Testing

@testable import AppBackend

/// Corrupted input signs nobody in and never crashes the server.
@Suite(.bounded) struct IdentityFuzzTests {
    @Test("A corrupted token never signs anybody in", arguments: [1, 2, 3] as [UInt64])
    func corruptedTokenNeverSignsAnybodyIn(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let issuer = try await TestIssuer(.hs256)
        let identity = try TestIdentity()
        let authenticator = try await identity.authenticator(issuer)
        let good = Array("Bearer \(try issuer.token())".utf8)
        // Over the three seeds, each byte of a token is changed about twenty times.
        for _ in 0..<500 {
            let bytes = mutated(good, &random)
            if bytes == good { continue }
            identity.time.advance(by: .milliseconds(1))
            let text = String(decoding: bytes, as: UTF8.self)
            // A scheme in upper case, or followed by more spaces, does not change the token.
            guard
                text.lowercased().drop(while: { $0 != " " }).drop(while: { $0 == " " })
                    != String(decoding: good, as: UTF8.self).lowercased().dropFirst(7)
            else { continue }
            #expect(["401", "429"].contains(await authenticator.answer(text)))
        }
    }

    @Test(
        "Corrupted names and passwords do not crash the server", arguments: [4, 5, 6] as [UInt64])
    func corruptedNamesAndPasswordsDoNotCrashTheServer(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let good = Array("Basic \(Array("alice:correct horse".utf8).base64)".utf8)
        var refused = 0
        for _ in 0..<2_000 {
            let text = String(decoding: mutated(good, &random), as: UTF8.self)
            do throws(CredentialsError) {
                guard case .basic(let encoded) = try AuthorizationField(text) else { continue }
                let credentials = try BasicCredentials(encoded: encoded)
                #expect(!credentials.password.contains(0))
                #expect(1...111 ~= credentials.user.text.utf8.count)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 400)
    }

    @Test(
        "A corrupted Forwarded field never yields the wrong client",
        arguments: [7, 8, 9] as [UInt64])
    func corruptedForwardedFieldNeverYieldsTheWrongClient(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let proxies = ["10.0.0.0/8"].compactMap(AddressRange.init)
        let pieces = [
            "for=", "192.0.2.1", "\"", "\\", ",", ";", "=", " ", "[", "]", ":", "2001:db8::1",
            "proto=https", "host=a", "unknown", "_x", "10.0.0.2", "80", "\t", "a", "\u{E9}",
        ]
        let name = try #require(HTTPField.Name("Forwarded"))
        // Over the three seeds, each piece follows every other piece about seventy times.
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...12, using: &random)
            let hostile = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined()
            // The proxy appends its own value to what the client sent.
            var fields = HTTPFields()
            fields.append(HTTPField(name: name, value: hostile + ", for=203.0.113.5;proto=http"))
            let source = try RequestSource(
                peer: IPAddress("10.0.0.1"), scheme: .http, host: "a", fields: fields,
                proxies: proxies)
            #expect(source.address?.description == "203.0.113.5", "\(hostile)")
            #expect(source.scheme == .http)
        }
    }

    @Test("Corrupted password files do not crash the server", arguments: [10, 11] as [UInt64])
    func corruptedPasswordFilesDoNotCrashTheServer(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let good = Array((TestPasswords.alice + TestPasswords.bob).utf8)
        var refused = 0
        for _ in 0..<1_000 {
            do throws(IdentityError) {
                _ = try PasswordFile(mutated(good, &random), path: "users")
            } catch {
                refused += 1
            }
        }
        #expect(refused > 160)
    }

    /// Changes, inserts, removes or duplicates some bytes.
    private func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(UInt8.random(in: 32...126, using: &random), at: index)
            default: bytes.insert(contentsOf: bytes[index...].prefix(9), at: index)
            }
        }
        return bytes
    }
}
