import CampaignCore
import Files
import PostgreSQLClient
import ProcessControl

/// A variable that a suggested command needs to reach the same hub and store as this process.
struct NeededVariable: Hashable, Sendable {
    let name: String
    /// The value, with absolute paths; nil for a secret, which must not appear in a command line.
    let value: String?

    /// The assignment in shell syntax; a secret refers to the variable in the reader's shell.
    fileprivate var assignment: String {
        "\(name)=\(value.map(ShellWord.quoted) ?? "\"$\(name)\"")"
    }
}

extension Invocation {
    /// The variables that are set and say how to reach the hub and the store; those of libpq are
    /// included only for a server.
    func neededVariables(isStoreOnServer: Bool) -> [NeededVariable] {
        func plain(_ names: [String], arePaths: Bool? = nil) -> [NeededVariable] {
            names.compactMap { name in
                self[name].map { value in
                    let isPath = arePaths ?? value.contains("/")
                    return NeededVariable(name: name, value: isPath ? whole(value) : value)
                }
            }
        }
        // A malformed proxy may contain a password.
        let proxy = (try? HubRoute(self).proxy()) == nil ? [] : [HubRoute.proxyVariable]
        // In most variables of libpq, a value with a slash is a path, even for a host.
        let server =
            plain(Self.serverVariables)
            + plain(["PGOPTIONS"], arePaths: false)
            + secret("PGPASSWORD")
        return plain(["HUBSEND_HUB_NAME"], arePaths: false)
            + plain([HubRoute.authoritiesVariable], arePaths: true) + plain(proxy, arePaths: false)
            + (isStoreOnServer ? server : [])
            + [
                Secret.connectionString, Secret.secondaryConnectionString, Secret.payloadKey,
                Secret.heartbeat,
            ].flatMap(secret)
    }

    /// The variables of libpq for connecting to a server, except the password.
    private static let serverVariables = [
        "PGSERVICE", "PGSERVICEFILE", "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER",
        "PGPASSFILE", "PGTARGETSESSIONATTRS", "PGSSLMODE", "PGSSLROOTCERT", "PGSSLCERT",
        "PGSSLKEY", "PGSSLCRL", "PGSSLCRLDIR", "PGSSLNEGOTIATION", "PGCHANNELBINDING",
        "PGREQUIREAUTH", "PGREQUIREPEER", "PGGSSENCMODE", "PGKRBSRVNAME",
    ]

    /// The variable that contains the secret or names its file or command.
    private func secret(_ name: String) -> [NeededVariable] {
        switch Secret.inEnvironment(name, of: self) {
        case .value?: [NeededVariable(name: name, value: nil)]
        case .file(let path, let setting)?: [NeededVariable(name: setting, value: whole(path))]
        case .command(let command, let setting)?: [NeededVariable(name: setting, value: command)]
        case nil: []
        }
    }

    /// The absolute form of a path, which is valid in any folder.
    func whole(_ path: String) -> String {
        let path = absolute(path)
        // `link/..` is the folder above the link's target, so links must be resolved first.
        return Path.cleaned(Path.steps(of: path).contains("..") ? Path.resolved(path) : path)
    }

    // MARK: Commands

    /// Whether the reader uses the shell that started this process, with the same user and
    /// variables.
    var isReaderHere: Bool {
        (isInputTerminal || isOutputTerminal || isErrorTerminal) && self["SUDO_USER"] == nil
    }

    private var programPath: String {
        let found = Result { () throws(ProgramNotStarted) in
            try Program([program], in: currentFolder, searching: self["PATH"])
        }
        return if case .success(let program) = found { whole(program.path) } else { program }
    }

    /// The beginning of a command line: the user, the variables and the program.
    ///
    /// On a terminal, it is only the program. A reader of mail from cron also needs the rest,
    /// because their shell has other settings. Without sudo, as in a container, the reader is
    /// assumed to be the same user.
    func opening(with variables: [NeededVariable]) -> String {
        if isReaderHere { return ShellWord.quoted(program) }
        let isReader = user.number == 0 && self["SUDO_USER"] == nil || tool("sudo") == nil
        return line([], as: isReader ? nil : user, with: variables)
    }

    /// The command that started this process, for another user.
    func command(as other: SystemUser) -> String {
        entrance + line(arguments, as: other, with: allVariables)
    }

    /// The command that started this process, with one argument replaced.
    func command(replacing word: String, by other: String) -> String {
        let words = arguments.map { ShellWord.quoted($0 == word ? other : $0) }
        return entrance + ([opening(with: allVariables)] + words).joined(separator: " ")
    }

    private var entrance: String { isReaderHere ? "" : "cd \(ShellWord.quoted(currentFolder)) && " }

    private var allVariables: [NeededVariable] {
        let places = ["CONFIG", "STORE", "REPORTS", "AUDIENCES"].compactMap { name in
            self["HUBSEND_" + name].map { value in
                let isServer = StoreURI.isMeant(value)
                return NeededVariable(
                    name: "HUBSEND_" + name,
                    value: !isServer
                        ? whole(value) : StoreURI.mayHavePassword(value) ? nil : value)
            }
        }
        return places + neededVariables(isStoreOnServer: true)
    }

    /// How to call a program; nil if it is not installed.
    ///
    /// The full path is used if `PATH` lacks root's program folders, as in cron or after `su`.
    private func tool(_ name: String) -> String? {
        func find(_ path: String?) -> String? {
            try? Program([name], in: currentFolder, searching: path).path
        }
        return find(self["PATH"]).map { _ in name } ?? find("/usr/sbin:/sbin")
    }

    /// - Parameter other: the user to run the command as; nil if the reader is that user.
    private func line(
        _ words: [String], as other: SystemUser?, with variables: [NeededVariable]
    ) -> String {
        let command = ([programPath] + words).map(ShellWord.quoted).joined(separator: " ")
        let assignments = variables.map(\.assignment)
        guard let other else { return (assignments + [command]).joined(separator: " ") }
        let name = ShellWord.quoted(other.description)
        guard let sudo = tool("sudo") else {
            // Both runuser and su preserve the environment variables.
            let become =
                (user.number == 0 ? tool("runuser") : nil).map { "\($0) -u \(name) -- \(command)" }
                ?? "su \(name) -s /bin/sh -c \(ShellWord.quoted(command))"
            return (assignments + [become]).joined(separator: " ")
        }
        let plain = variables.filter { $0.value != nil }
        let secrets = variables.filter { $0.value == nil }
        // Everybody on the host could read secrets in sudo's arguments.
        let kept =
            secrets.isEmpty
            ? [] : ["--preserve-env=" + secrets.map(\.name).joined(separator: ",")]
        return
            (secrets.map(\.assignment) + [sudo, "-u", name] + kept
            + (plain.isEmpty ? [] : ["env"]) + plain.map(\.assignment) + [command])
            .joined(separator: " ")
    }
}
