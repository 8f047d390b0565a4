import CLibPQ

/// libpq, PostgreSQL's own client library, loaded when the first address of a server is read.
///
/// It is not linked, since every start would wait for it, and for OpenSSL, Kerberos and LDAP,
/// although few have a store on a server. A ``PostgreSQLAddress`` proves that it is loaded.
package enum PostgreSQLLibrary {
    /// Why it cannot be used; every version since 8.2 has this name.
    private static let fault = load("libpq.so.5")

    /// Loads it once.
    static func require() throws(PostgreSQLLibraryFault) {
        if let fault { throw fault }
    }

    /// Such as 15.18.
    package static var version: String {
        get throws(PostgreSQLLibraryFault) {
            try require()
            let version = PQlibVersion()
            return "\(version / 10_000).\(version % 10_000)"
        }
    }

    /// Loads a library; nil on success.
    static func load(_ name: String) -> PostgreSQLLibraryFault? {
        unsafe libpq_load(name).map {
            PostgreSQLLibraryFault(reason: unsafe String(cString: $0))
        }
    }
}

package struct PostgreSQLLibraryFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// In the system's words, with the name of the library.
    let reason: String

    package var description: String {
        """
        PostgreSQL's client library, libpq, cannot be loaded (\(reason)). Install the package that has it: on Debian and \
        Ubuntu, libpq5.
        """
    }
}
