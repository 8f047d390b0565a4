package import PostgreSQLClient

/// An empty store on a networked server.
///
/// The server's certificate is for `store.test`. On the network, it accepts the role `sender` with
/// a password and the role `carrier` with a certificate, both only with TLS. At its socket, without
/// TLS, `sender` also needs the password.
package struct RemoteStore: Sendable {
    package static let password = "quiet-harbour-4711"
    /// Below the system's range of ports, so it is free at each new address.
    package static let port = 25_432

    static let roles = "CREATE ROLE sender LOGIN PASSWORD '\(password)'; CREATE ROLE carrier LOGIN"

    /// Creates certificates, and adds options for the server to `$@`; each server has its own
    /// loopback address.
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

    private let folder: String
    package let host: String
    package let schema: String

    init(folder: String, host: String, schema: String) {
        self.folder = folder
        self.host = host
        self.schema = schema
    }

    /// Without TLS.
    package var socket: String { folder + "/.s.PGSQL.\(Self.port)" }

    /// The certificate or key of `carrier`, of a `stranger`, or of the `authority` that signed the
    /// certificates of the server and of `carrier`.
    package func file(_ name: String) -> String { folder + "/" + name }

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

    /// Parameters for TLS, in a mode such as `verify-full`.
    package func tls(_ mode: String, by authority: String = "authority") -> String {
        "sslmode=\(mode)&sslrootcert=\(file(authority + ".pem"))"
    }
}

extension PostgreSQLServer {
    /// The shared server, with TLS.
    package static let secured = PostgreSQLServer(isSecured: true)
}
