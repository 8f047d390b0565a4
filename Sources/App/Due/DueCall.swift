import CampaignCore
import CampaignFormat
import Files
import Foundation

/// The command that a timer calls every minute, with its user and variables.
struct DueCall: Sendable {
    /// A variable that the command needs, because a timer does not inherit a person's environment.
    struct Variable: Hashable, Sendable {
        let name: String
        let value: String
        /// The content that somebody still has to write to the variable's file, if any.
        var task: String?
    }

    let words: [String]
    let variables: [Variable]
    /// The system user that the timer belongs to.
    let user: String
    let isOwnUser: Bool
    /// Whether a command provides a secret, in which case the timer may need any file and any
    /// program.
    let runsCommands: Bool
    let paths: [String]
    let campaigns: [CampaignSchedule]
    /// The absolute paths of all files and folders that the command is known to use, with links
    /// resolved.
    let places: [String]
    let written: [String]
    /// The campaign, if only one file was named.
    let only: String?
    /// The named folder, or the folder of the named file.
    let folder: String

    /// - Parameter campaigns: at least one campaign, each with a schedule.
    init(
        _ program: String, paths: [String], campaigns: [CampaignSchedule],
        settings: [EffectiveSettings], flags: SettingFlags, invocation: Invocation
    ) throws {
        guard !paths.contains("-") else {
            throw Refused(
                "A timer cannot read a campaign from standard input. Name the campaign's file or folder."
            )
        }
        let whole = invocation.whole
        self.campaigns = campaigns
        self.paths = paths.map(whole)
        only = paths == campaigns.map(\.path) ? campaigns.first?.campaign : nil
        let first = self.paths.first ?? "/"
        folder = campaigns.contains { $0.path == paths.first } ? Path.folder(of: first) : first
        let options = [
            ("config", (flags.config ?? invocation["HUBSEND_CONFIG"]).map(whole)),
            ("store", try Self.store(flags, invocation, settings: settings, whole: whole)),
            ("reports", (flags.reports ?? invocation["HUBSEND_REPORTS"]).map(whole)),
            ("audiences", (flags.audiences ?? invocation["HUBSEND_AUDIENCES"]).map(whole)),
        ].flatMap { name, value in value.map { ["--\(name)", $0] } ?? [] }
        words = [whole(program), "run", "--due"] + self.paths + options

        variables = try Self.variables(
            isHubMissing: settings.contains { $0.hub == nil },
            isStoreOnServer: settings.contains { $0.store.file == nil }, invocation)
        runsCommands =
            variables.contains { $0.name.hasSuffix("_COMMAND") }
            || settings.contains(where: \.runsCommands)

        let users = try Set(settings.map { try Self.user(of: $0.store.file ?? $0.localFolder) })
        guard let user = users.first, users.count == 1 else {
            throw Refused(
                """
                The stores of these campaigns belong to different users: \(users.sorted().joined(separator: ", ")). \
                Each user needs a separate timer; name the campaigns of only one user.
                """)
        }
        self.user = user
        isOwnUser = user == NSUserName()

        written = settings.flatMap {
            [$0.store.file ?? $0.localFolder, $0.reports, $0.metrics].compactMap(\.self)
        }
        .map(Path.resolved)
        let configs = settings.compactMap { $0.configPath.map(whole) }
        // libpq looks for passwords and services in the home folder.
        let home =
            settings.contains { $0.store.file == nil } ? NSHomeDirectoryForUser(user) : nil
        places =
            written + [home].compactMap(\.self)
            + (words + variables.map(\.value) + configs).filter(Path.isAbsolute).map(Path.resolved)
        for text in words + variables.map(\.value) + [user] where VisibleText.escape(text) != text {
            throw Refused.noTimer(holds: text)
        }
    }

    /// The store that a flag or a variable names, if any; throws if the address has a password.
    private static func store(
        _ flags: SettingFlags, _ invocation: Invocation, settings: [EffectiveSettings],
        whole: (String) -> String
    ) throws(Refused) -> String? {
        guard let name = flags.store ?? invocation["HUBSEND_STORE"] else { return nil }
        guard StoreURI.isServer(name) else { return whole(name) }
        guard let option = settings.first?.store.option else {
            throw Refused(
                """
                The address in HUBSEND_STORE has a password, which must not be in a crontab or unit file. Put the \
                password in the ~/.pgpass file of the user who runs hubsend, and remove it from the address.
                """)
        }
        return option
    }

    /// The variables that the command needs; for secrets, they name files that somebody has to
    /// write.
    private static func variables(
        isHubMissing: Bool, isStoreOnServer: Bool, _ invocation: Invocation
    ) throws -> [Variable] {
        // A malformed proxy may contain a password, so it produces an error instead of being
        // omitted.
        _ = try HubRoute(invocation).proxy()
        var needed = invocation.neededVariables(isStoreOnServer: isStoreOnServer)
        if isHubMissing, Secret.inEnvironment(Secret.connectionString, of: invocation) == nil {
            needed.append(NeededVariable(name: Secret.connectionString, value: nil))
        }
        return needed.compactMap { variable in
            if let value = variable.value { return Variable(name: variable.name, value: value) }
            // The password of libpq belongs in its password file, not in a crontab.
            guard let (file, content) = secretFiles[variable.name] else { return nil }
            return Variable(
                name: variable.name + "_FILE", value: "/etc/hubsend/" + file, task: content)
        }
    }

    private static let secretFiles = [
        Secret.connectionString: ("connection-string", "the hub's connection string"),
        Secret.secondaryConnectionString: (
            "connection-string-secondary", "the hub's connection string with its other key"
        ),
        Secret.payloadKey: ("payload-key", "the payload key"),
        Secret.heartbeat: ("heartbeat", "the heartbeat address"),
    ]

    /// The user that a store belongs to.
    ///
    /// A store that does not exist yet will belong to the caller, or, if that is root, to the owner
    /// of its folder.
    private static func user(of store: String) throws -> String {
        do {
            let nearest = try Folder.nearest(store)
            guard nearest == store || NSUserName() == "root" else { return NSUserName() }
            let attributes = try FileManager.default.attributesOfItem(atPath: nearest)
            return attributes[.ownerAccountName] as? String
                ?? (attributes[.ownerAccountID] as? NSNumber)?.stringValue ?? NSUserName()
        } catch {
            throw Refused("The owner of \(store) cannot be determined: \(error).")
        }
    }

    /// The comment lines above the call, which list its campaigns and the next start of each.
    var overview: [String] {
        let most = 20
        let title =
            "Checks every minute whether a campaign in \(paths.joined(separator: ", ")) is due"
        let lines = campaigns.prefix(most).map { campaign in
            let next = campaign.upcoming.first.map {
                "\(campaign.readable($0)) \(campaign.schedule.zone.name)"
            }
            let over = campaign.upcoming.isEmpty ? campaign.earlySending : nil
            return "  \(campaign.campaign): \(next ?? over ?? "over")"
        }
        let more = campaigns.count - most
        return ["\(title). Next starts:"] + lines
            + (more > 0 ? ["  and \(Figures.count(more)) more"] : [])
    }
}

extension DueCall.Variable {
    /// A comment line that says what to write to the file, if anything.
    func preparation(for user: String) -> String? {
        task.map { "Write \($0) to this file, which must belong to \(user) and have mode 0600:" }
    }
}

extension Refused {
    /// The error for a path, a name or a value with characters that a crontab or unit cannot
    /// contain.
    static func noTimer(holds text: String) -> Refused {
        Refused(
            """
            \(VisibleText.escape(text)) contains invisible characters or both kinds of quotation \
            marks, which crontabs and units cannot contain. Rename it.
            """)
    }
}
