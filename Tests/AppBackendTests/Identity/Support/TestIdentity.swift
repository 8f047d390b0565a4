import CampaignCore
import InMemoryLogging
import Logging
import TestSupport

@testable import AppBackend

struct TestIdentity: Sendable {
    let folder: TemporaryFolder
    let time = TestTime()
    let log = InMemoryLogHandler()

    init() throws {
        folder = try TemporaryFolder()
    }

    var logger: Logger { Logger(label: "test") { _ in log } }

    var sentences: [String] { log.entries.map { "\($0.level): \($0.message)" } }

    /// An authenticator with a password file of these lines.
    func authenticator(
        passwords: String = TestPasswords.alice + TestPasswords.bob
    ) async throws -> Authenticator {
        let path = try folder.write(passwords, to: "users", mode: 0o600)
        return try await authenticator(BackendSettings(users: path))
    }

    func authenticator(
        _ issuers: TestIssuer..., leeway: Duration = .seconds(30)
    ) async throws -> Authenticator {
        let rules = try rules(issuers, leeway: leeway)
        return try await authenticator(BackendSettings(jwt: rules))
    }

    func authenticator(
        _ settings: BackendSettings, documents: ScriptedDocuments = ScriptedDocuments(),
        threads: HashingThreads? = nil
    ) async throws -> Authenticator {
        try await Authenticator(
            settings: settings, documents: documents, logger: logger, clock: time.clock,
            threads: threads)
    }

    func rules(
        _ issuers: [TestIssuer], claim: String = "sub", leeway: Duration = .seconds(30)
    ) throws -> TokenRules {
        let keys = try issuers.enumerated().map { index, issuer in
            let path = try folder.write(issuer.keyFile, to: "key-\(index)", mode: 0o600)
            return TokenKey(id: issuer.id, algorithm: issuer.algorithm, file: path)
        }
        return TokenRules(
            issuer: TestIssuer.name, audience: TestIssuer.audience, usernameClaim: claim,
            longestLifetime: .seconds(7200), leeway: leeway, keys: keys)
    }
}

extension Authenticator {
    /// The result of an `Authorization` field: a name, `401`, `429` or `503`.
    func answer(_ authorization: String?, from address: String = "192.0.2.1") async -> String {
        do throws(SignInRefusal) {
            return try await caller(
                authorization: authorization, from: IPAddress(address)
            ).username.text
        } catch {
            switch error {
            case .unauthenticated: return "401"
            case .tooManyFailures: return "429"
            case .closed: return "503"
            }
        }
    }

    /// The reason why an `Authorization` field is refused; nil if it is accepted.
    func refusal(
        _ authorization: String?, from address: String = "192.0.2.1"
    ) async -> SignInRefusal? {
        do throws(SignInRefusal) {
            _ = try await caller(authorization: authorization, from: IPAddress(address))
            return nil
        } catch {
            return error
        }
    }
}
