import CLibPQ

/// libpq, PostgreSQL's own client library, which is loaded when the first address of a server is read.
///
/// It is not linked, since every start of the program would wait for it, and for OpenSSL, Kerberos and LDAP, which it brings along;
/// and nearly nobody has a store on a server. Who has a ``PostgreSQLAddress`` has the library: nothing else here has to ask for it.
package enum PostgreSQLLibrary {
    /// Why it cannot be used; every version since 8.2 has this name.
    private static let fault = load("libpq.so.5")

    /// Loads it, once a process; whoever comes meanwhile waits.
    static func require() throws(PostgreSQLLibraryFault) {
        if let fault { throw fault }
    }

    /// Its version, such as 15.18.
    package static var version: String {
        get throws(PostgreSQLLibraryFault) {
            try require()
            let version = PQlibVersion()
            return "\(version / 10_000).\(version % 10_000)"
        }
    }

    /// Loads the library of a name.
    ///
    /// - Returns: why it cannot be used; nil: it can.
    static func load(_ name: String) -> PostgreSQLLibraryFault? {
        unsafe libpq_load(name).map {
            PostgreSQLLibraryFault(reason: unsafe String(cString: $0))
        }
    }
}

/// libpq is not there, or is not one that this program can use.
package struct PostgreSQLLibraryFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// In the words of the system, with the name of the library.
    let reason: String

    package var description: String {
        """
        PostgreSQL's client library, libpq, cannot be loaded (\(reason)). Install the package that has it: on Debian and \
        Ubuntu, libpq5.
        """
    }
}
