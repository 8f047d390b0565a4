import Foundation

extension SendRequest {
    /// The most handles of a batch (reference, section 3.8).
    static let mostHandles = 1_000

    /// Reads a send to many handles: a multipart body whose parts are told apart by their names.
    ///
    /// - Parameter request: the request.
    /// - Throws: a 400 when the body is not multipart, lacks a part, or names no handle or too many.
    init(batch request: HubRequest) throws(HubFailure) {
        let parts = try MultipartReader.parts(
            of: request.body, contentType: request.headers["content-type"] ?? "")
        let notification = try Self.part("notification", of: parts)
        let devices = try Self.part("devices", of: parts)
        var fields = request.headers
        fields["content-type"] = notification.headers["content-type"]
        try self.init(
            fields, payload: Array(notification.body),
            toChannels: try Self.handles(devices.body).map(PushChannel.handle))
        origin = SendOrigin(request)
    }

    private static func part(
        _ name: String, of parts: [MultipartReader.Part]
    ) throws(HubFailure) -> MultipartReader.Part {
        let found = parts.filter { $0.name?.lowercased() == name }
        guard let part = found.first, found.count == 1 else {
            throw .badRequest("A batch send needs one part of the name \(name).")
        }
        return part
    }

    private static func handles(_ body: ArraySlice<UInt8>) throws(HubFailure) -> [String] {
        let handles: [String]
        do {
            handles = try JSONDecoder().decode([String].self, from: Data(body))
        } catch {
            // The decoder's own text may repeat a handle.
            throw .badRequest("The part devices is not a JSON array of strings.")
        }
        guard (1...mostHandles).contains(handles.count) else {
            throw .badRequest("The part devices needs 1 to \(mostHandles) handles.")
        }
        guard !handles.contains("") else {
            throw .badRequest("The part devices has an empty handle.")
        }
        return handles
    }
}
