/// The XML namespaces of the service (reference, section 0).
enum ServiceNamespace {
    /// That of descriptions, telemetry and outcomes.
    static let service = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
    /// That of `i:nil` and `i:type`.
    static let instance = "http://www.w3.org/2001/XMLSchema-instance"
    /// That of lists of properties.
    static let arrays = "http://schemas.microsoft.com/2003/10/Serialization/Arrays"
    /// That of entries and feeds.
    static let atom = "http://www.w3.org/2005/Atom"
    /// That of an entry's `a:etag`.
    static let metadata = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
}
