import CampaignCore

extension DeliveryClaim {
    /// A claim without tries.
    static func fresh(_ number: Int) -> DeliveryClaim {
        DeliveryClaim(
            number: number, username: Username(checked: "u\(number)"),
            PushedNotification(id: .placeholder), attempts: 0, isUncertain: false)
    }
}
