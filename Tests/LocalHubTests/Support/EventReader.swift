enum EventReader {
    struct Events {
        var text = ""

        var ids: [Int] {
            text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("id: ") }
                .compactMap { Int($0.dropFirst(4)) }
        }
    }

    /// Opens a stream on 127.0.0.1, and closes the connection once `onChange` returns true.
    static func read(
        port: Int, _ path: String, headers: String = "",
        onChange: (Events) async throws -> Bool
    ) async throws -> Events {
        let request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)\r\n"
        return Events(
            text: try await RawConnection.exchange(port: port, request) {
                try await onChange(Events(text: $0))
            })
    }
}
