/// What the config's `limits` say about all campaigns beneath it.
package struct CampaignLimits: Hashable, Sendable {
    /// The schemes that addresses may have beside https, in lower case, such as `myapp`.
    package var urlSchemes: Set<String>

    package init(urlSchemes: Set<String> = []) {
        self.urlSchemes = urlSchemes
    }
}
