import CampaignFormat

extension UnsupportedKey {
    /// Why nothing is sent.
    func refusal(in path: String) -> String {
        """
        \(path):\(range.line):\(range.column): this version does not act on `\(key)` yet, so nothing is sent. Take the key \
        out, or use a version that does.
        """
    }
}
