import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A part of an answer as it comes in.
enum ExchangeEvent: Sendable {
    /// Status and headers.
    case head(HTTPURLResponse)
    /// The next bytes.
    case body(Data)
}
