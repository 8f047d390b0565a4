/// Why an `Authorization` field is none that could be checked; for the audit.
enum CredentialsFault: String, Error, Hashable, Sendable {
    case tooLong = "the credentials are too long"
    case malformed = "the Authorization field is malformed"
    case notBase64 = "the credentials are not base64"
    case notText = "name and password are not UTF-8, or have a zero byte"
    case noColon = "the credentials have no colon"
    case noUsername = "the credentials' name is none that a user can have"
}
