import CLibPQ

/// libpq, PostgreSQL's client library, loaded when the first server address is read.
///
/// libpq is not linked, because every start would then load libpq, OpenSSL, Kerberos and LDAP,
/// although few users have a store on a server. If a ``PostgreSQLAddress`` exists, the library is
/// loaded.
package enum PostgreSQLLibrary {
    /// Why the library cannot be used; nil if it can be.
    ///
    /// Its file name has not changed since version 8.2.
    private static let problem = load("libpq.so.5")

    /// Loads the library once.
    static func require() throws(PostgreSQLLibraryError) {
        if let problem { throw problem }
    }

    /// The version, such as 15.18.
    package static var version: String {
        get throws(PostgreSQLLibraryError) {
            try require()
            let version = PQlibVersion()
            return "\(version / 10_000).\(version % 10_000)"
        }
    }

    /// Loads a library; returns nil on success.
    static func load(_ name: String) -> PostgreSQLLibraryError? {
        unsafe libpq_load(name).map {
            PostgreSQLLibraryError(reason: unsafe String(cString: $0))
        }
    }
}

package struct PostgreSQLLibraryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's message, which contains the name of the library.
    let reason: String

    package var description: String {
        """
        PostgreSQL's client library, libpq, cannot be loaded (\(reason)). Install the package that \
        contains it, such as libpq5 on Debian and Ubuntu.
        """
    }
}
