/// The audience files of the starter campaigns: a table, and lists of names.
enum AudienceTemplates {
    /// The people of the secure campaign; one person has no first name, which shows the default.
    static let customers = """
        username,first_name,month
        alice,Alice,November
        bob,Bob,November
        carol,,November
        dan,Dan,November
        erin,Erin,November

        """

    /// The people that the secure campaign excludes.
    static let optedOut = """
        erin

        """

    static let staff = """
        alice
        bob
        frank

        """
}
