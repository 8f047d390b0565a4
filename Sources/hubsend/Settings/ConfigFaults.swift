import CampaignFormat

/// The config file has faults; nothing can be done with it.
struct ConfigFaults: Error {
    let findings: [Diagnostic]
}
