import Foundation

/// The body of a template send: one flat JSON object of strings (reference, section 7).
struct TemplateProperties: Sendable, Hashable, Codable {
    /// The properties by name in lower case, since templates compare names without case.
    let values: [String: String]

    /// Reads a body; a property that is `null` is left out.
    ///
    /// - Parameter body: the bytes of the request.
    /// - Throws: a 400 when the body is anything else.
    init(_ body: [UInt8]) throws(HubFailure) {
        let properties: [String: String?]
        do {
            properties = try JSONDecoder().decode([String: String?].self, from: Data(body))
        } catch {
            // The decoder's own text may repeat values.
            throw .badRequest(
                "The payload of a template send is not a flat JSON object of strings.")
        }
        values = Self.folded(properties.compactMapValues(\.self))
    }

    /// The properties that a registration's template sees: those of the send win over its push variables.
    ///
    /// - Parameter registration: the registration.
    /// - Returns: the properties by name in lower case.
    func merged(into registration: Registration) -> [String: String] {
        Self.folded(registration.pushVariables).merging(values) { $1 }
    }

    /// Lower-case names; of two that differ in case only, the first in order counts.
    private static func folded(_ properties: [String: String]) -> [String: String] {
        Dictionary(
            properties.sorted { $0.key < $1.key }.map { ($0.key.lowercased(), $0.value) },
            uniquingKeysWith: { first, _ in first })
    }
}
