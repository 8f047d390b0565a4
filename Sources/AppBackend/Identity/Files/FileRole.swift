/// What a file is for, and with it who may do what with it and how long it may be.
package enum FileRole: Hashable, Sendable {
    case passwords
    /// A public key that tokens are checked with.
    case tokenKey
    /// A secret that tokens are signed and checked with.
    case tokenSecret
    case certificate
    case certificateKey

    /// What sentences call it.
    var noun: String {
        switch self {
        case .passwords: "password file"
        case .tokenKey: "token key file"
        case .tokenSecret: "token secret file"
        case .certificate: "certificate file"
        case .certificateKey: "certificate's key file"
        }
    }

    /// Whether others must not read it; nobody else may write any of them.
    var isSecret: Bool {
        switch self {
        case .passwords, .tokenSecret, .certificateKey: true
        case .tokenKey, .certificate: false
        }
    }

    /// The longest that it may be, in bytes.
    var limit: Int {
        switch self {
        case .passwords: 16 << 20
        case .certificate: 1 << 20
        case .tokenKey, .tokenSecret, .certificateKey: 64 << 10
        }
    }
}
