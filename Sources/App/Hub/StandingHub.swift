import CampaignCore
import LocalHub
import Logging
import ProcessControl

struct StandingHub: Sendable {
    enum Announcement: Sendable {
        case nothing
        case json
        /// Its addresses, and the settings for programs.
        case text
    }

    private let configuration: LocalHubConfiguration
    private let authorityPath: String?
    private let authorityFile: AuthorityFile?
    private let announcement: Announcement
    private let logger: Logger

    /// Does not listen yet.
    ///
    /// - Parameter authority: the `--ca-file` path for the certificate that clients have to trust.
    init(
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

    func run() async throws {
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
