import Foundation

/// The body of a template send: one flat JSON object of strings (reference, section 7).
enum TemplateProperties {
    /// Reads a body; a property that is `null` is left out.
    ///
    /// - Parameter body: the bytes of the request.
    /// - Returns: the properties by name, in the case that they were sent in.
    /// - Throws: a 400 when the body is anything else.
    static func read(_ body: [UInt8]) throws(HubFailure) -> [String: String] {
        do {
            return try JSONDecoder().decode([String: String?].self, from: Data(body))
                .compactMapValues(\.self)
        } catch {
            throw .badRequest(
                "The payload of a template send is not a flat JSON object of strings.")
        }
    }
}
