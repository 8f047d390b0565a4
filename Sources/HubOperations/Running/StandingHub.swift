import CampaignCore
package import LocalHub
package import Logging
import ProcessControl
package import Settings
import Terminal

/// A local hub that runs by itself until a signal comes.
package struct StandingHub: Sendable {
    /// What it says on standard output when it is ready.
    package enum Announcement: Sendable {
        case nothing
        /// One line of JSON.
        case json
        /// Its addresses, and what leads programs to it.
        case text
    }

    private let configuration: LocalHubConfiguration
    private let authorityPath: String?
    private let authorityFile: AuthorityFile?
    private let announcement: Announcement
    private let logger: Logger

    /// Listens nowhere yet.
    ///
    /// - Parameters:
    ///   - configuration: what it is like.
    ///   - authority: where `--ca-file` wants the certificate that clients have to trust; nil: nowhere.
    ///   - announcement: what it says when it is ready.
    ///   - invocation: what the path is relative to.
    ///   - logger: where it logs.
    /// - Throws: `SettingFault` when the path is empty, `LocalHubError` when something else stands there.
    package init(
        _ configuration: LocalHubConfiguration, authority: String?, announcement: Announcement,
        _ invocation: Invocation, logger: Logger
    ) throws {
        self.configuration = configuration
        authorityPath = authority
        authorityFile = try authority.map { path in
            try AuthorityFile(path: invocation.file(path, of: "--ca-file"))
        }
        self.announcement = announcement
        self.logger = logger
    }

    /// Runs it.
    ///
    /// - Throws: `LocalHubError`; what kept it from saying that it is ready.
    package func run() async throws {
        try await SignalWatch.serve { fail in
            let server = try LocalHubServer(configuration: configuration, logger: logger) {
                address in
                do {
                    if let certificate = address.authorityPEM {
                        try authorityFile?.write(certificate)
                    }
                    try announce(address)
                } catch {
                    fail(error)
                }
            }
            try await server.run()
        }
    }

    private func announce(_ address: LocalHubAddress) throws {
        let usesOwnKeys = configuration.usesOwnKeys
        switch announcement {
        case .nothing: return
        case .json:
            let line = try HubReadyLine(address, usesOwnKeys: usesOwnKeys).json()
            try Console.output(VisibleText.json(line) + "\n")
        case .text:
            let text = HubAnnouncement(
                address,
                ownKeysSetting: usesOwnKeys ? LocalHubConfiguration.keysVariable : nil,
                authorityFile: authorityPath.map { VisibleText.escape($0) }
            ).text
            try Console.output(text)
        }
    }
}
