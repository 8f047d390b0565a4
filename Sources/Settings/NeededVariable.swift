import CampaignCore
package import Files
import PostgreSQLClient
import ProcessControl

/// A variable that a command needs to reach the same hub and store as this process.
package struct NeededVariable: Hashable, Sendable {
    package let name: String
    /// With absolute paths; nil for a secret, which no command line may show.
    package let value: String?

    package init(name: String, value: String?) {
        self.name = name
        self.value = value
    }

    /// Shell syntax; a secret is taken from the reader's own shell.
    fileprivate var assignment: String {
        "\(name)=\(value.map(ShellWord.quoted) ?? "\"$\(name)\"")"
    }
}

extension Invocation {
    /// The variables in effect that say how hub and store are reached.
    ///
    /// - Parameter isStoreOnServer: whether libpq's variables count too.
    package func neededVariables(isStoreOnServer: Bool) -> [NeededVariable] {
        func plain(_ names: [String], arePaths: Bool? = nil) -> [NeededVariable] {
            names.compactMap { name in
                self[name].map { value in
                    let isPath = arePaths ?? value.contains("/")
                    return NeededVariable(name: name, value: isPath ? whole(value) : value)
                }
            }
        }
        // A malformed proxy may hold a password.
        let proxy = (try? HubRoute(self).proxy()) == nil ? [] : [HubRoute.proxyVariable]
        return plain(["HUBSEND_HUB_NAME"], arePaths: false)
            + plain([HubRoute.authoritiesVariable], arePaths: true) + plain(proxy, arePaths: false)
            // In libpq's variables, a value with a slash is a path, even a host.
            + (isStoreOnServer ? plain(Self.serverVariables) + secret("PGPASSWORD") : [])
            + [
                Secret.connectionString, Secret.secondaryConnectionString, Secret.payloadKey,
                Secret.heartbeat,
            ].flatMap(secret)
    }

    /// libpq's variables for reaching a server, without its password.
    private static let serverVariables = [
        "PGSERVICE", "PGSERVICEFILE", "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER",
        "PGPASSFILE", "PGTARGETSESSIONATTRS", "PGSSLMODE", "PGSSLROOTCERT", "PGSSLCERT",
        "PGSSLKEY",
    ]

    /// The secret's variable in effect, or the one that names its file or command.
    private func secret(_ name: String) -> [NeededVariable] {
        switch Secret.inEnvironment(name, of: self) {
        case .value?: [NeededVariable(name: name, value: nil)]
        case .file(let path, let setting)?: [NeededVariable(name: setting, value: whole(path))]
        case .command(let command, let setting)?: [NeededVariable(name: setting, value: command)]
        case nil: []
        }
    }

    /// A path that means the same in any folder.
    package func whole(_ path: String) -> String {
        let path = absolute(path)
        // `link/..` is the folder above the link's target, so links are resolved first.
        return Path.cleaned(Path.steps(of: path).contains("..") ? Path.resolved(path) : path)
    }

    // MARK: Commands

    /// Whether the reader sits at the shell that started this process, with its user and variables.
    var isReaderHere: Bool {
        (isInputTerminal || isOutputTerminal || isErrorTerminal) && self["SUDO_USER"] == nil
    }

    private var programPath: String {
        let found = Result { () throws(ProgramNotStarted) in
            try Program([program], in: currentFolder, searching: self["PATH"])
        }
        return if case .success(let program) = found { whole(program.path) } else { program }
    }

    /// The start of a command line: the user, the variables and the program.
    ///
    /// On a terminal only the program: the reader of cron's mail has nothing else set.
    package func opening(with variables: [NeededVariable]) -> String {
        isReaderHere
            ? ShellWord.quoted(program)
            : opening(
                // Root needs no sudo, which a container may lack.
                as: user.number == 0 && self["SUDO_USER"] == nil ? nil : user, with: variables)
    }

    /// - Parameter other: the user to become; nil: the reader is that user.
    private func opening(as other: SystemUser?, with variables: [NeededVariable]) -> String {
        let program = ShellWord.quoted(programPath)
        guard let other else {
            return (variables.map(\.assignment) + [program]).joined(separator: " ")
        }
        let plain = variables.filter { $0.value != nil }
        let secrets = variables.filter { $0.value == nil }
        // As arguments of sudo, everybody on the host could read them.
        let kept =
            secrets.isEmpty
            ? [] : ["--preserve-env=" + secrets.map(\.name).joined(separator: ",")]
        return
            (secrets.map(\.assignment) + ["sudo", "-u", ShellWord.quoted(other.description)]
            + kept + (plain.isEmpty ? [] : ["env"]) + plain.map(\.assignment) + [program])
            .joined(separator: " ")
    }

    /// The command that started this process, for another user.
    package func command(as other: SystemUser) -> String {
        let places = ["CONFIG", "STORE", "REPORTS", "AUDIENCES"].compactMap { name in
            self["HUBSEND_" + name].map { value in
                let isServer = StoreURI.isMeant(value)
                return NeededVariable(
                    name: "HUBSEND_" + name,
                    value: !isServer
                        ? whole(value) : StoreURI.mayHavePassword(value) ? nil : value)
            }
        }
        let folder = isReaderHere ? "" : "cd \(ShellWord.quoted(currentFolder)) && "
        let opening = opening(
            as: other, with: places + neededVariables(isStoreOnServer: true))
        return folder + ([opening] + arguments.map(ShellWord.quoted)).joined(separator: " ")
    }
}
