import PreferencesCommandLine

extension ManualCommand {
    /// The lists in the manual of what the tool uses besides its arguments.
    static let sections = [environment, files]

    private static let environment = CommandDescription.Section(
        "ENVIRONMENT",
        [
            .init("VISUAL, EDITOR", "The editor of 'edit': the first of them that is not empty, otherwise vi."),
            .init("HOME", "The folder of the user's files below, and of the path of a store that begins with '~/'."),
            .init("XDG_CONFIG_HOME", "The folder of user files. Default: ~/.config."),
            .init("XDG_CONFIG_DIRS", "The folders of site files, separated by colons. Default: /etc/xdg."),
            .init(
                "XDG_DATA_HOME, XDG_DATA_DIRS",
                "The folders of installed schemas. Default: ~/.local/share, and /usr/local/share:/usr/share."
            ),
            .init("TMPDIR", "The folder in which 'edit' makes a private one, prefs-…, for the text. Default: /tmp."),
            .init("LC_ALL, LC_MESSAGES, LANG", "The language of the entries that are read in files of KDE."),
            .init("TZ", "The time zone of dates in files of KDE, which have none."),
            .init("NO_COLOR", "Disables colors unless it is empty, as TERM does if it is unset or dumb."),
            .init("PATH", "The folders in which 'schema diff' looks for git."),
            .init(
                "GIT_DIR, GIT_WORK_TREE",
                "The repository of 'schema diff', as for git. Default: that of the current folder."
            ),
            .init(
                "DBUS_SESSION_BUS_ADDRESS",
                "The session bus of 'secret:', except on macOS. Default: the socket 'bus' in the folder of XDG_RUNTIME_DIR."
            ),
            .init(
                "ETCDCTL_USER, ETCDCTL_PASSWORD",
                "The user of 'etcd:', as NAME:PASSWORD or apart from each other. Default: none."
            ),
            .init(
                "ETCDCTL_CACERT, ETCDCTL_CERT, ETCDCTL_KEY",
                "The files of the trusted authorities, of the client's certificate and of its key for 'etcd:', except on "
                    + "macOS. Default: the authorities of the system, and no certificate."
            ),
            .init("PREFIX…", "The values of the store 'env:PREFIX'."),
        ]
    )

    private static let files = CommandDescription.Section(
        "FILES",
        [
            .init(
                "~/.config/NAME/preferences.json",
                "The default file of '--app NAME', in the folder of XDG_CONFIG_HOME. On macOS, the user defaults of NAME "
                    + "take its place."
            ),
            .init(
                "/etc/xdg/NAME/preferences.json",
                "A site file of '--app NAME', in each folder of XDG_CONFIG_DIRS. The user's file takes precedence."
            ),
            .init(
                "/etc/xdg/NAME/managed.json, /etc/xdg/NAME/locks",
                "The policy of '--app NAME': the values that an administrator has fixed, and lists of names that are fixed at "
                    + "their values in the site file, or at their defaults. They do not depend on XDG_CONFIG_DIRS, must be "
                    + "root's, and no other user may be able to write them. On macOS, they are in '/Library/Application "
                    + "Support/NAME', and values of mobile device management are fixed, too."
            ),
            .init(
                "Sources/NAME, Schemas/NAME",
                "The schemas of '--app NAME', in the nearest folder with Package.swift; also "
                    + "Schemas/NAME.preferences.json. A preferences-generator-config.json beside them is their configuration, "
                    + "also for 'schema diff'."
            ),
            .init(
                "~/.local/share/NAME/*.preferences.json",
                "The installed schemas of '--app NAME', in the folders of XDG_DATA_HOME and XDG_DATA_DIRS."
            ),
            .init("~/.config/SUITE.plist", "The file of 'defaults:SUITE', except on macOS."),
            .init("~/.config/glib-2.0/settings/keyfile", "The default file of 'gsettings:'."),
        ]
    )
}
