package import PostgreSQLClient

/// An empty store on a server that is reached over the network, and what leads there.
///
/// The server is `store.test` by its certificate. Over the network it takes the role `sender` with a password and the role
/// `carrier` with a certificate, both by TLS alone. By its socket, where it speaks no TLS, `sender` needs the password too.
package struct RemoteStore: Sendable {
    /// The password of `sender`.
    package static let password = "quiet-harbour-4711"
    /// Below those that the system gives out, so that it is free at an address that nobody else has.
    package static let port = 25_432

    /// Who may come over the network.
    static let roles = "CREATE ROLE sender LOGIN PASSWORD '\(password)'; CREATE ROLE carrier LOGIN"

    /// Makes certificates, and lets the server's command begin with `$@`.
    ///
    /// The loopback address is that of the shell's process, so that each server has its own.
    static let preparation = """
        issue() {
            name=$1
            shift
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \\
                -keyout "$folder/$name.key" -out "$folder/$name.pem" "$@" \\
                >"$folder/log" 2>&1 </dev/null || { cat "$folder/log" >&2; exit 1; }
        }
        issue authority -subj /CN=authority
        issue stranger -subj /CN=stranger
        set -- -CA "$folder/authority.pem" -CAkey "$folder/authority.key"
        issue server -subj /CN=server -addext subjectAltName=DNS:store.test "$@"
        issue carrier -subj /CN=carrier "$@"
        printf '%s\\n' 'local all postgres trust' 'hostssl all carrier all cert' \\
            'local all all scram-sha-256' 'hostssl all all all scram-sha-256' \\
            >"$folder/data/pg_hba.conf"
        host=127.$((64 + $$ / 65536)).$(($$ / 256 % 256)).$(($$ % 256))
        PGPORT=\(port)
        export PGPORT
        set -- -c listen_addresses="$host" -c ssl=on -c ssl_ca_file="$folder/authority.pem" \\
            -c ssl_cert_file="$folder/server.pem" -c ssl_key_file="$folder/server.key"
        """

    /// The folder with its certificates, keys and socket.
    private let folder: String
    /// The number of its host.
    package let host: String
    /// The schema.
    package let schema: String

    init(folder: String, host: String, schema: String) {
        self.folder = folder
        self.host = host
        self.schema = schema
    }

    /// Its socket, where it speaks no TLS.
    package var socket: String { folder + "/.s.PGSQL.\(Self.port)" }

    /// The path of a certificate or its key: of the `authority` of server and `carrier`, of a `stranger`, or of `carrier`.
    package func file(_ name: String) -> String { folder + "/" + name }

    /// The way to it over the network.
    ///
    /// - Parameters:
    ///   - user: a role, with its password where it has one.
    ///   - name: by which host's name the server is asked for.
    ///   - options: more of a URI's parameters.
    /// - Throws: `PostgreSQLAddressFault`.
    package func address(
        as user: String = "sender:\(Self.password)", named name: String = "store.test",
        _ options: String...
    ) throws -> PostgreSQLAddress {
        let all =
            ["hostaddr=\(host)", "port=\(Self.port)", "options=-csearch_path%3D\(schema)"]
            + options
        return try PostgreSQLAddress(
            "postgresql://\(user)@\(name)/postgres?\(all.joined(separator: "&"))")
    }

    /// Shows who the server is by the authority of its certificate.
    ///
    /// - Parameters:
    ///   - mode: such as `verify-full`.
    ///   - authority: whose certificate it has to have.
    /// - Returns: parameters of a URI.
    package func tls(_ mode: String, by authority: String = "authority") -> String {
        "sslmode=\(mode)&sslrootcert=\(file(authority + ".pem"))"
    }
}

extension PostgreSQLServer {
    /// The one with TLS that all tests of this process share.
    package static let secured = PostgreSQLServer(isSecured: true)
}
